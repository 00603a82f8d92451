/** Sentences for the user: each shown once a session. */

import * as vscode from "vscode";

export type Level = "error" | "warning" | "info";

const SHOW = {
  error: vscode.window.showErrorMessage,
  warning: vscode.window.showWarningMessage,
  info: vscode.window.showInformationMessage,
};

export class Notices {
  private readonly said = new Set<string>();

  constructor(private readonly log: vscode.LogOutputChannel) {}

  /** Shows a sentence that has not been shown; resolves to the button that the user chose. */
  async once(level: Level, sentence: string, ...buttons: string[]): Promise<string | undefined> {
    if (this.said.has(sentence)) {
      this.log.info(`(not shown again) ${sentence}`);
      return undefined;
    }
    this.said.add(sentence);
    return this.answer(level, sentence, ...buttons);
  }

  /** Shows what the user has just asked for, however often. */
  async answer(level: Level, sentence: string, ...buttons: string[]): Promise<string | undefined> {
    this.log.info(sentence);
    return SHOW[level](sentence, ...buttons);
  }
}
