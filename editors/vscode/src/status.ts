/** The status bar item: who made the last completion, and what stands in the way of the next. */

import * as vscode from "vscode";

/** What the server says of itself (`didChangeStatus`). */
export interface Status {
  readonly kind: "Normal" | "Warning" | "Error" | "Inactive";
  readonly message: string;
  readonly tier: "local" | "org" | "escalating" | "off" | "error" | "loading";
  readonly detail: string;
}

const FACES: Record<Status["tier"], { icon: string; word: string }> = {
  local: { icon: "home", word: "local" },
  org: { icon: "organization", word: "org" },
  escalating: { icon: "cloud-upload", word: "escalating" },
  off: { icon: "circle-slash", word: "off" },
  error: { icon: "error", word: "error" },
  loading: { icon: "loading~spin", word: "loading" },
};

const COLOURS: Partial<Record<Status["kind"], string>> = {
  Error: "statusBarItem.errorBackground",
  Warning: "statusBarItem.warningBackground",
};

const LINKS: readonly (readonly [label: string, command: string])[] = [
  ["Why this completion?", "synconfroute.whyThisCompletion"],
  ["Doctor", "synconfroute.runDoctor"],
  ["Ledger", "synconfroute.openLedger"],
];

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    "synconfroute.status",
    vscode.StatusBarAlignment.Right,
    100,
  );
  /** The server's version and this extension's, for the tooltip. */
  versions = "";

  constructor() {
    this.item.name = "SynConfRoute";
    this.item.command = "synconfroute.showMenu";
    this.show({ kind: "Normal", tier: "loading", message: "Starting the server.", detail: "" });
    this.item.show();
  }

  show(status: Status): void {
    const face = FACES[status.tier] ?? FACES.error;
    this.item.text = `$(${face.icon}) ${face.word}`;
    this.item.accessibilityInformation = { label: `SynConfRoute: ${face.word}` };
    const colour = COLOURS[status.kind];
    this.item.backgroundColor = colour === undefined ? undefined : new vscode.ThemeColor(colour);
    this.item.tooltip = this.tooltip(status, face.word);
  }

  dispose(): void {
    this.item.dispose();
  }

  private tooltip(status: Status, word: string): vscode.MarkdownString {
    const text = new vscode.MarkdownString(`**SynConfRoute** · ${word}\n\n`);
    text.isTrusted = { enabledCommands: LINKS.map(([, command]) => command) };
    for (const sentence of [status.detail, status.message, this.versions]) {
      if (sentence !== "") {
        text.appendMarkdown(`${escaped(sentence)}\n\n`);
      }
    }
    const links = LINKS.map(([label, command]) => `[${label}](command:${command})`);
    return text.appendMarkdown(links.join(" · "));
  }
}

/** A sentence that Markdown leaves as it is; unlike `appendText` it can be broken into lines. */
function escaped(sentence: string): string {
  return sentence.replace(/[\\`*_{}[\]()#+\-.!|<>~&$]/g, "\\$&");
}
