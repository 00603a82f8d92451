/** Puts the parts together. */

import * as vscode from "vscode";
import { registerCommands } from "./commands";
import { Notices } from "./notices";
import { Pages } from "./pages";
import { Session } from "./session";
import { StatusItem } from "./status";

let session: Session | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("SynConfRoute", { log: true });
  const notices = new Notices(log);
  const pages = new Pages();
  const status = new StatusItem();
  session = new Session(context.extension, log, notices, status);
  const commands = registerCommands({
    extension: context.extension,
    session,
    notices,
    pages,
    log,
  });
  context.subscriptions.push(log, pages, status, session, commands);
  // Not awaited: the window must not wait for the server.
  void session.restart();
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}
