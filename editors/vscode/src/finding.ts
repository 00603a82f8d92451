/** Where the server may be, and which of these places has it. Knows neither VS Code nor the disk. */

import { isAbsolute, join } from "node:path";

/** The machine as the search sees it; tests give their own. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  /** Is there a program at this path? */
  readonly runs: (path: string) => boolean;
  /** The names in a folder; none where it cannot be read. */
  readonly list: (folder: string) => readonly string[];
}

/** A program and how it was found, for people: "on PATH". */
export interface Found {
  readonly path: string;
  readonly how: string;
}

/**
 * The server: the configured program and no other; else the first on PATH; else where uv, pipx and
 * pip put programs. Relative folders on PATH are passed over: they would be the workspace's own.
 */
export function findServer(machine: Machine, configured: string): Found | undefined {
  if (configured !== "") {
    const path = configured.replace(/^~(?=[\\/])/, machine.home);
    const good = isAbsolute(path) && machine.runs(path);
    return good ? { path, how: "named by the setting synconfroute.server.path" } : undefined;
  }
  return (
    findProgram(machine, "synconfroute") ??
    firstOf(machine, "synconfroute", installFolders(machine), "where uv, pipx and pip install")
  );
}

/** A program on PATH. */
export function findProgram(machine: Machine, name: string): Found | undefined {
  const separator = machine.platform === "win32" ? ";" : ":";
  const path = machine.env.PATH ?? machine.env.Path ?? "";
  const folders = path.split(separator).filter((folder) => isAbsolute(folder));
  return firstOf(machine, name, folders, "on PATH");
}

/** Folders that uv tool, pipx and pip --user put programs into, on this platform. */
export function installFolders(machine: Machine): readonly string[] {
  const { env, home, platform } = machine;
  const named = [env.UV_TOOL_BIN_DIR, env.PIPX_BIN_DIR, env.XDG_BIN_HOME];
  const usual = [join(home, ".local", "bin"), join(home, ".cargo", "bin")];
  const folders = [...named, ...usual, ...pipFolders(machine)];
  if (platform === "darwin") {
    folders.push("/opt/homebrew/bin", "/usr/local/bin");
  }
  return folders.filter((folder) => folder !== undefined && isAbsolute(folder)) as string[];
}

function pipFolders({ platform, env, home, list }: Machine): readonly string[] {
  if (platform === "win32") {
    const root = join(env.APPDATA ?? join(home, "AppData", "Roaming"), "Python");
    return list(root).map((version) => join(root, version, "Scripts"));
  }
  if (platform === "darwin") {
    const root = join(home, "Library", "Python");
    return list(root).map((version) => join(root, version, "bin"));
  }
  return [];
}

function firstOf(
  machine: Machine,
  name: string,
  folders: readonly string[],
  how: string,
): Found | undefined {
  const file = machine.platform === "win32" ? `${name}.exe` : name;
  const path = folders.map((folder) => join(folder, file)).find(machine.runs);
  return path === undefined ? undefined : { path, how };
}
