/** This machine, as the search for programs sees it. */

import { readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import type { Machine } from "./finding";

export const thisMachine: Machine = {
  platform: process.platform,
  env: process.env,
  home: homedir(),
  runs: isProgram,
  list: (folder) => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
};

/** Is there a file that may be run? On Windows every file may. */
function isProgram(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && (process.platform === "win32" || (stat.mode & 0o111) !== 0);
}
