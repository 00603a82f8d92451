/** Installs the server where the user asks for it, and says what was done. */

import * as vscode from "vscode";
import { type Found, findProgram, findServer, installFolders } from "./finding";
import { thisMachine } from "./machine";
import type { Notices } from "./notices";
import { lastLine, run } from "./running";
import { SECTION } from "./settings";

interface Installer extends vscode.QuickPickItem {
  readonly program: string;
  readonly args: readonly string[];
}

const SOURCE = "server.source";

/** Asks from what and with what to install; the program that is there afterwards. */
export async function install(
  log: vscode.LogOutputChannel,
  notices: Notices,
): Promise<Found | undefined> {
  const source = await chooseSource();
  const installer = source && (await chooseInstaller(source, notices));
  if (!installer) {
    return undefined;
  }
  const outcome = await runVisibly(installer, log);
  const found = findServer(thisMachine, "");
  if (outcome.code !== 0 || found === undefined) {
    const reason = lastLine(outcome.errors) || "the program is in none of the usual places";
    const sentence = `SynConfRoute's server was not installed: ${reason}`;
    if ((await notices.answer("error", sentence, "Show Log")) !== undefined) {
      log.show();
    }
    return undefined;
  }
  const sentence = `Installed SynConfRoute's server: ${installer.label} made ${found.path}.`;
  void notices.answer("info", sentence);
  return found;
}

/** The configured source, else a clone that the user points at. */
async function chooseSource(): Promise<string | undefined> {
  const configured = vscode.workspace.getConfiguration(SECTION).get(SOURCE, "");
  if (configured !== "") {
    return configured;
  }
  const chosen = await vscode.window.showOpenDialog({
    title: "SynConfRoute's server: a clone of its repository",
    openLabel: "Install From Here",
    canSelectFiles: false,
    canSelectFolders: true,
  });
  return chosen?.[0]?.fsPath;
}

async function chooseInstaller(source: string, notices: Notices): Promise<Installer | undefined> {
  const installers = availableInstallers(source);
  if (installers.length === 0) {
    const sentence = "Neither uv nor pipx nor Python was found: install one of them first.";
    void notices.answer("error", sentence);
    return undefined;
  }
  const title = "Which command may install SynConfRoute's server?";
  return vscode.window.showQuickPick(installers, { title, placeHolder: "Nothing runs until then" });
}

function availableInstallers(source: string): Installer[] {
  const python = thisMachine.platform === "win32" ? "python" : "python3";
  const commands: readonly (readonly string[])[] = [
    ["uv", "tool", "install", "--force", source],
    ["pipx", "install", "--force", source],
    [python, "-m", "pip", "install", "--user", "--upgrade", source],
  ];
  return commands.flatMap(([name = "", ...args]) => {
    const program = findProgram(thisMachine, name)?.path ?? besideThe(name);
    const label = [name, ...args].join(" ");
    return program === undefined ? [] : [{ label, detail: program, program, args }];
  });
}

/** An editor started from a desktop may not have these folders on PATH. */
function besideThe(name: string): string | undefined {
  const PATH = installFolders(thisMachine).join(thisMachine.platform === "win32" ? ";" : ":");
  return findProgram({ ...thisMachine, env: { PATH } }, name)?.path;
}

function runVisibly(installer: Installer, log: vscode.LogOutputChannel) {
  const location = vscode.ProgressLocation.Notification;
  const title = `SynConfRoute: ${installer.label}`;
  return vscode.window.withProgress({ location, title }, (progress) => {
    log.info(`${installer.program} ${installer.args.join(" ")}`);
    return run(installer.program, installer.args, (text) => {
      log.append(text);
      progress.report({ message: lastLine(text) });
    });
  });
}
