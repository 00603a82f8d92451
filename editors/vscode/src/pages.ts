/** Read-only pages that commands open beside the code: a report, the numbers. */

import * as vscode from "vscode";

const SCHEME = "synconfroute";

export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private opened = 0;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(
    SCHEME,
    this,
  );

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Opens a page. Each has an address of its own: VS Code remembers what an address held. */
  async open(name: string, text: string): Promise<void> {
    this.opened += 1;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: name, query: String(this.opened) });
    this.texts.clear();
    this.texts.set(uri.toString(), text);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  dispose(): void {
    this.registration.dispose();
  }
}
