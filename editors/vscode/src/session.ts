/** The life of the server in this window: found, started, restarted, stopped. */

import * as vscode from "vscode";
import {
  CloseAction,
  type CloseHandlerResult,
  type LanguageClient,
  State,
} from "vscode-languageclient/node";
import { newClient } from "./client";
import { Crashes } from "./crashes";
import { type Found, findServer } from "./finding";
import { thisMachine } from "./machine";
import type { Notices } from "./notices";
import { type ContributedSettings, SECTION, serverSettings } from "./settings";
import type { StatusItem } from "./status";

const NOT_FOUND =
  "SynConfRoute's server was not found: install it, or say where it is " +
  "in the setting synconfroute.server.path.";
const NOT_STARTED = "SynConfRoute's server could not be started; its log says why.";
const GAVE_UP = "SynConfRoute's server ended again and again, and is not started anew.";

/** A button's label and the command behind it. */
type Button = readonly [label: string, command: string];
const INSTALL: Button = ["Install…", "synconfroute.installServer"];
const DOCTOR: Button = ["Doctor", "synconfroute.runDoctor"];
const START: Button = ["Start", "synconfroute.restartServer"];

/** A program that has not answered by then is no server. */
const STARTING_MS = 60_000;

export class Session implements vscode.Disposable {
  private readonly settings: readonly string[];
  private readonly crashes = new Crashes();
  private readonly changes: vscode.Disposable;
  private client: LanguageClient | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly extension: vscode.Extension<unknown>,
    private readonly log: vscode.LogOutputChannel,
    private readonly notices: Notices,
    private readonly status: StatusItem,
  ) {
    this.settings = serverSettings(extension.packageJSON as ContributedSettings);
    this.changes = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${SECTION}.server.path`)) {
        void this.restart();
      }
    });
  }

  /** The program that is or would be started. */
  find(): Found | undefined {
    const configured = vscode.workspace.getConfiguration(SECTION).get("server.path", "");
    return findServer(thisMachine, configured);
  }

  /** Does a server answer? */
  get running(): boolean {
    return this.client?.isRunning() === true;
  }

  /** Starts the server, or starts it anew; one after the other, however often it is called. */
  restart(): Promise<void> {
    this.crashes.forget();
    this.last = this.last.then(async () => {
      await this.stop();
      await this.start();
    });
    return this.last;
  }

  /** Runs one of the server's commands; undefined where there is no server to run it. */
  async command<T>(name: string, ...args: unknown[]): Promise<T | undefined> {
    await this.last;
    if (this.client === undefined || !this.running) {
      const button = await this.notices.answer("warning", "SynConfRoute is not running.", "Start");
      if (button !== undefined) {
        await this.restart();
      }
      return undefined;
    }
    const params = { command: `synconfroute.${name}`, arguments: args };
    return this.client.sendRequest<T>("workspace/executeCommand", params);
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    // One that has not come up, or will not go down, is no reason not to start the next.
    await client?.dispose().catch((error: unknown) => this.log.warn(String(error)));
  }

  dispose(): void {
    this.changes.dispose();
  }

  private async start(): Promise<void> {
    const found = this.find();
    if (found === undefined) {
      this.fail(NOT_FOUND, "warning", INSTALL);
      return;
    }
    this.log.info(`Starting ${found.path}, ${found.how}.`);
    const client = this.newClient(found);
    this.client = client;
    client.onDidChangeState(({ newState }) => {
      if (newState === State.StartFailed) {
        this.fail(NOT_STARTED, "error", DOCTOR);
      }
    });
    try {
      await inTime(client.start());
      this.status.versions = this.versions(client);
      this.log.info(this.status.versions);
    } catch (error) {
      this.log.error(String(error));
      this.fail(NOT_STARTED, "error", DOCTOR);
    }
  }

  private newClient(found: Found): LanguageClient {
    const { name, version } = this.extension.packageJSON as { name: string; version: string };
    return newClient({
      program: found.path,
      self: { name, version },
      settings: this.settings,
      log: this.log,
      notices: this.notices,
      onStatus: (status) => this.status.show(status),
      onClosed: () => this.closed(),
    });
  }

  private closed(): CloseHandlerResult {
    if (this.running && this.crashes.mayRestart()) {
      const message = "The server ended and is started again.";
      this.status.show({ kind: "Warning", tier: "loading", message, detail: "" });
      return { action: CloseAction.Restart, handled: true };
    }
    if (this.running) {
      this.fail(GAVE_UP, "error", START);
    }
    return { action: CloseAction.DoNotRestart, handled: true };
  }

  private versions(client: LanguageClient): string {
    const server = client.initializeResult?.serverInfo?.version ?? "of an unknown version";
    const { version } = this.extension.packageJSON as { version: string };
    return `Server ${server}, extension ${version}.`;
  }

  private fail(sentence: string, level: "warning" | "error", button: Button): void {
    this.status.show({ kind: "Error", tier: "error", message: sentence, detail: "" });
    void this.notices.once(level, sentence, button[0], "Show Log").then((chosen) => {
      if (chosen === button[0]) {
        void vscode.commands.executeCommand(button[1]);
      } else if (chosen !== undefined) {
        this.log.show();
      }
    });
  }
}

function inTime(starting: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout;
  const late = new Promise<void>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The program does not answer.")), STARTING_MS);
  });
  return Promise.race([starting, late]).finally(() => clearTimeout(timer));
}
