/** The ledger: what has left this machine, in the file that the server wrote last. */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Notices } from "./notices";
import type { Session } from "./session";

/** Opens the newest file of the ledger. */
export async function openLedger(session: Session, notices: Notices): Promise<void> {
  const answer = await session.command<{ path: string }>("ledger");
  if (answer === undefined) {
    return;
  }
  const file = newestFile(answer.path);
  if (file === undefined) {
    void notices.answer("info", "The ledger is empty: no code has left this machine.");
    return;
  }
  await vscode.window.showTextDocument(vscode.Uri.file(file));
}

/** The path itself where it is a file; the newest file in it where it is a folder. */
function newestFile(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true) {
    return stat === undefined ? undefined : path;
  }
  const files = readdirSync(path)
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile());
  const age = (file: string) => statSync(file).mtimeMs;
  return files.sort((one, other) => age(other) - age(one))[0];
}
