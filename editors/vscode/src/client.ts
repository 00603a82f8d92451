/** The language client: how one server process is started and talked to. */

import type * as vscode from "vscode";
import {
  type CloseHandlerResult,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  ShowMessageNotification,
} from "vscode-languageclient/node";
import type { Level, Notices } from "./notices";
import { chosenSettings, SECTION } from "./settings";
import type { Status } from "./status";

/** What a client needs of the rest of the extension. */
export interface Surroundings {
  readonly program: string;
  /** This extension, as the server's log and its version check see it. */
  readonly self: { readonly name: string; readonly version: string };
  /** The names of the settings that the server reads. */
  readonly settings: readonly string[];
  readonly log: vscode.LogOutputChannel;
  readonly notices: Notices;
  readonly onStatus: (status: Status) => void;
  /** The server's process has ended by itself. */
  readonly onClosed: () => CloseHandlerResult;
}

const DOCUMENTS = ["file", "untitled", "vscode-notebook-cell"].map((scheme) => ({ scheme }));
const LEVELS: Record<number, Level> = { 1: "error", 2: "warning" };

/** A client that is not started yet. */
export function newClient(around: Surroundings): LanguageClient {
  const server = { command: around.program, args: ["serve"] };
  const tell = (): Promise<void> => sendSettings(client, around.settings);
  const client: LanguageClient = new QuietClient(
    SECTION,
    "SynConfRoute",
    server,
    optionsFor(around, tell),
  );
  client.onNotification("didChangeStatus", around.onStatus);
  // Takes the place of the library's own handler, which shows every message.
  client.onNotification(ShowMessageNotification.method, ({ type, message }) => {
    void around.notices.once(LEVELS[type] ?? "info", message);
  });
  return client;
}

/** Writes what goes wrong to the log; whoever starts the client tells the user, once. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  override warn(message: string, data?: unknown): void {
    super.warn(message, data, false);
  }

  override info(message: string, data?: unknown): void {
    super.info(message, data, false);
  }
}

function optionsFor(around: Surroundings, tell: () => Promise<void>): LanguageClientOptions {
  const chosen = () => chosenSettings(around.settings);
  return {
    documentSelector: DOCUMENTS,
    outputChannel: around.log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: () => ({ ...chosen(), status: true, client: around.self }),
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: around.onClosed,
    },
    middleware: {
      workspace: {
        // Asked or told, the server gets what was set, without the library's defaults.
        configuration: ({ items }) =>
          items.map(({ section }) => (section === SECTION ? chosen() : null)),
        didChangeConfiguration: tell,
      },
    },
    synchronize: { configurationSection: SECTION },
  };
}

async function sendSettings(client: LanguageClient, names: readonly string[]): Promise<void> {
  const settings = { [SECTION]: chosenSettings(names) };
  await client.sendNotification("workspace/didChangeConfiguration", { settings });
}
