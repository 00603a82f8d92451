/** What the command palette and the status bar item's menu offer. */

import * as vscode from "vscode";
import { install } from "./installing";
import { openLedger } from "./ledger";
import type { Notices } from "./notices";
import type { Pages } from "./pages";
import { run } from "./running";
import type { Session } from "./session";
import { openStatisticsPage } from "./statistics";
import { pickThreshold } from "./threshold";

/** What commands work with. */
export interface Desk {
  readonly extension: vscode.Extension<unknown>;
  readonly session: Session;
  readonly notices: Notices;
  readonly pages: Pages;
  readonly log: vscode.LogOutputChannel;
}

const MINUTES = [5, 15, 30, 60, 240];

const COMMANDS: Record<string, (desk: Desk) => unknown> = {
  toggleCompletions: toggle,
  whyThisCompletion: why,
  snoozeCompletions: snooze,
  pickThreshold: ({ notices }) => pickThreshold(notices),
  openLedger: ({ session, notices }) => openLedger(session, notices),
  openStatistics: statistics,
  openStatisticsPage: ({ session, notices }) => openStatisticsPage(session, notices),
  runDoctor: doctor,
  installServer: installAndStart,
  restartServer: ({ session }) => session.restart(),
  showLog: ({ log }) => log.show(),
  showMenu,
};

/** Registers every command. */
export function registerCommands(desk: Desk): vscode.Disposable {
  const registrations = Object.entries(COMMANDS).map(([name, act]) =>
    vscode.commands.registerCommand(`synconfroute.${name}`, () => act(desk)),
  );
  return vscode.Disposable.from(...registrations);
}

/** The commands as a list to choose from, with the titles that package.json gives them. */
async function showMenu({ extension }: Desk): Promise<void> {
  type Contributed = { contributes: { commands: { command: string; title: string }[] } };
  const { commands } = (extension.packageJSON as Contributed).contributes;
  const items = commands.map(({ command, title }) => ({ label: title, command }));
  const chosen = await vscode.window.showQuickPick(items, { title: "SynConfRoute" });
  if (chosen !== undefined) {
    await vscode.commands.executeCommand(chosen.command);
  }
}

function currentUri(): string[] {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri === undefined ? [] : [uri.toString()];
}

async function toggle({ session }: Desk): Promise<void> {
  const answer = await session.command<{ enabled: boolean }>("toggle");
  if (answer !== undefined) {
    const word = answer.enabled ? "on" : "off";
    vscode.window.setStatusBarMessage(`SynConfRoute: completions are ${word}.`, 4000);
  }
}

async function why({ session, notices, pages }: Desk): Promise<void> {
  type Why = { message: string; provenance: Record<string, unknown> | null };
  const answer = await session.command<Why>("why", ...currentUri());
  if (answer === undefined) {
    return;
  }
  const buttons = answer.provenance === null ? [] : ["Details"];
  if ((await notices.answer("info", answer.message, ...buttons)) !== undefined) {
    await pages.open("why.json", JSON.stringify(answer.provenance, null, 2));
  }
}

async function snooze({ session }: Desk): Promise<void> {
  const items = MINUTES.map((minutes) => ({ label: `${minutes} minutes`, minutes }));
  const title = "No completions for how long?";
  const chosen = await vscode.window.showQuickPick(items, { title });
  const answer = chosen && (await session.command<{ until: string }>("snooze", chosen.minutes));
  if (answer) {
    const time = new Date(answer.until).toLocaleTimeString();
    vscode.window.setStatusBarMessage(`SynConfRoute: no completions until ${time}.`, 4000);
  }
}

async function statistics({ session, notices, pages }: Desk): Promise<void> {
  const program = session.find();
  if (program === undefined) {
    void notices.answer("warning", "There is no server whose statistics could be read.");
    return;
  }
  const outcome = await run(program.path, ["stats"]);
  await pages.open("statistics.txt", outcome.output || outcome.errors);
}

/** Asks the running server; where none runs, the program itself says what is wrong. */
async function doctor({ session, notices, pages }: Desk): Promise<void> {
  const location = vscode.ProgressLocation.Window;
  await vscode.window.withProgress({ location, title: "SynConfRoute: doctor" }, async () => {
    if (session.running) {
      const answer = await session.command<{ report: string }>("doctor");
      await pages.open("doctor.txt", answer?.report ?? "");
      return;
    }
    const program = session.find();
    if (program === undefined) {
      void notices.answer("error", "There is no server to examine: it was not found.");
      return;
    }
    const outcome = await run(program.path, ["doctor"]);
    await pages.open("doctor.txt", outcome.output || outcome.errors);
  });
}

async function installAndStart({ session, notices, log }: Desk): Promise<void> {
  if ((await install(log, notices)) !== undefined) {
    await session.restart();
  }
}
