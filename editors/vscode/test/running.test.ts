import assert from "node:assert/strict";
import { test } from "node:test";
import { lastLine, run } from "../src/running";

const NODE = process.execPath;

test("a program's code and output come back, and its text as it comes", async () => {
  const seen: string[] = [];
  const script = "console.log('one'); console.error('two'); process.exit(3)";
  const outcome = await run(NODE, ["-e", script], (text) => seen.push(text));
  assert.deepEqual(outcome, { code: 3, output: "one\n", errors: "two\n" });
  assert.equal(seen.join("").length, 8);
});

test("a program that is not there is an outcome, not an exception", async () => {
  const outcome = await run("/nowhere/at/all", []);
  assert.equal(outcome.code, -1);
  assert.match(outcome.errors, /ENOENT/);
});

test("the last line is the last that says something", () => {
  assert.equal(lastLine("one\n two \n\n"), "two");
  assert.equal(lastLine(""), "");
});
