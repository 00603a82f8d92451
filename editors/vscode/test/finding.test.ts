import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { findServer, type Machine } from "../src/finding";

/** A machine on which exactly these programs are there. */
function machine(programs: string[], more: Partial<Machine> = {}): Machine {
  return {
    platform: "linux",
    env: { PATH: "/usr/bin:/opt/bin" },
    home: "/home/ada",
    runs: (path) => programs.includes(path),
    list: () => [],
    ...more,
  };
}

const path = (on: Machine, configured = "") => findServer(on, configured)?.path;

test("the first program on PATH is taken", () => {
  assert.equal(path(machine(["/opt/bin/synconfroute"])), "/opt/bin/synconfroute");
});

test("relative folders on PATH are passed over", () => {
  const env = { PATH: ".:bin:/opt/bin" };
  const on = machine(["synconfroute", "bin/synconfroute"], { env });
  assert.equal(path(on), undefined);
});

test("a configured program is taken, and no other in its place", () => {
  const on = machine(["/opt/bin/synconfroute", "/srv/server"]);
  assert.equal(path(on, "/srv/server"), "/srv/server");
  assert.equal(path(on, "/srv/absent"), undefined);
  assert.equal(path(on, "bin/synconfroute"), undefined);
});

test("a configured path may begin at home", () => {
  assert.equal(path(machine(["/home/ada/x/server"]), "~/x/server"), "/home/ada/x/server");
});

test("without PATH the folders of uv and pipx are searched, the named ones first", () => {
  const usual = "/home/ada/.local/bin/synconfroute";
  assert.equal(path(machine([usual], { env: {} })), usual);
  const env = { UV_TOOL_BIN_DIR: "/srv/uv" };
  assert.equal(path(machine([usual, "/srv/uv/synconfroute"], { env })), "/srv/uv/synconfroute");
});

test("pip's own folder is found on macOS and Windows", () => {
  const list = () => ["3.11", "3.12"];
  const mac = "/home/ada/Library/Python/3.12/bin/synconfroute";
  assert.equal(path(machine([mac], { platform: "darwin", env: {}, list })), mac);
  const env = { APPDATA: "/roaming" };
  const windows = join("/roaming", "Python", "3.11", "Scripts", "synconfroute.exe");
  assert.equal(path(machine([windows], { platform: "win32", env, list })), windows);
});

test("nowhere is nowhere", () => {
  assert.equal(findServer(machine([]), ""), undefined);
});
