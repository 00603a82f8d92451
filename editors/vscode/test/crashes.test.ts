import assert from "node:assert/strict";
import { test } from "node:test";
import { Crashes } from "../src/crashes";

test("the fifth crash within three minutes is one too many", () => {
  let now = 0;
  const crashes = new Crashes(() => now);
  const answers = [0, 1, 2, 3, 4].map((minutes) => {
    now = minutes * 30_000;
    return crashes.mayRestart();
  });
  assert.deepEqual(answers, [true, true, true, true, false]);
});

test("crashes that are long ago do not count, nor those before the user's restart", () => {
  let now = 0;
  const crashes = new Crashes(() => now);
  for (now = 0; now < 4; now++) {
    crashes.mayRestart();
  }
  now = 200_000;
  assert.equal(crashes.mayRestart(), true);
  for (let count = 0; count < 4; count++) {
    crashes.mayRestart();
  }
  crashes.forget();
  assert.equal(crashes.mayRestart(), true);
});
