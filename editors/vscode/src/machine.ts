/** This machine, as the search for programs sees it. */

import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { isProgram, type Machine } from "./finding";

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
