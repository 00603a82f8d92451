/** The statistics as a page: pictures and tables, made by the server's own program. */

import * as vscode from "vscode";
import type { Notices } from "./notices";
import { lastLine, run } from "./running";
import type { Session } from "./session";

/** Opens the page. It holds no script and asks for nothing, and here neither may it. */
export async function openStatisticsPage(session: Session, notices: Notices): Promise<void> {
  const program = session.find();
  if (program === undefined) {
    void notices.answer("warning", "There is no server whose statistics could be read.");
    return;
  }
  const outcome = await run(program.path, ["stats", "--html", "-"]);
  if (outcome.code !== 0 || !outcome.output.startsWith("<!doctype html>")) {
    const why = lastLine(outcome.errors) || "the server is of an older version.";
    void notices.answer("warning", `There is no page of statistics: ${why}`);
    return;
  }
  const panel = vscode.window.createWebviewPanel(
    "synconfroute.statistics",
    "SynConfRoute: Statistics",
    vscode.ViewColumn.Active,
    { enableScripts: false, enableForms: false, localResourceRoots: [] },
  );
  panel.webview.html = outcome.output;
}
