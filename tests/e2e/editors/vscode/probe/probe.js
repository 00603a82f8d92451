/** Lets the test ask VS Code itself, over HTTP on loopback: what a document holds, what a command answers. */

const { createServer } = require("node:http");
const { writeFileSync } = require("node:fs");
const vscode = require("vscode");

const ACTS = {
  /** The text, version and address of the document in the active editor. */
  document: () => {
    const document = vscode.window.activeTextEditor?.document;
    return document && { text: document.getText(), version: document.version, uri: String(document.uri) };
  },
  setting: ({ name }) => vscode.workspace.getConfiguration().get(name),
  /** Is a command registered? The extension has them while its server runs. */
  knows: async ({ name }) => (await vscode.commands.getCommands(true)).includes(name),
  command: ({ name, args }) => vscode.commands.executeCommand(name, ...args),
  /** Puts a text in the place of the whole document, and the cursor behind `line`, `column`. */
  fill: async ({ text, line, column }) => {
    const editor = vscode.window.activeTextEditor;
    const whole = editor.document.validateRange(new vscode.Range(0, 0, 1e6, 0));
    await editor.edit((edit) => edit.replace(whole, text));
    const at = new vscode.Position(line, column);
    await moved(editor, at);
  },
};

/** Moves the cursor; the editor may take its time. */
function moved(editor, at) {
  const stands = () => editor.selection.active.isEqual(at);
  if (stands()) {
    return undefined;
  }
  return new Promise((resolve) => {
    const watching = vscode.window.onDidChangeTextEditorSelection(() => {
      if (stands()) {
        watching.dispose();
        resolve();
      }
    });
    editor.selection = new vscode.Selection(at, at);
  });
}

exports.activate = () => {
  const server = createServer(async (request, response) => {
    const { act, params } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const answer = await Promise.resolve()
      .then(() => ACTS[act](params ?? {}))
      .then((value) => ({ value: value ?? null }), (error) => ({ error: String(error) }));
    response.end(JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1", () => {
    writeFileSync(process.env.PROBE_PORT_FILE, String(server.address().port));
  });
};
