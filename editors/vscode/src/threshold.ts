/** The router's threshold, chosen from a list or typed. */

import * as vscode from "vscode";
import type { Notices } from "./notices";
import { SECTION } from "./settings";

const KEY = "router.threshold";
const LIMITS = { low: 0, high: 1.01 };
const OTHER = "Another…";

const CHOICES: readonly (vscode.QuickPickItem & { readonly value?: number })[] = [
  { label: "Measured", description: "what was calibrated for the model and language, else 0.7" },
  { label: "0.5", description: "escalates rarely", value: 0.5 },
  { label: "0.7", description: "the paper's", value: 0.7 },
  { label: "0.9", description: "escalates often", value: 0.9 },
  { label: OTHER, description: `a number from ${LIMITS.low} to ${LIMITS.high}` },
];

/** Asks for a threshold and writes it into the user's settings; "Measured" takes it out. */
export async function pickThreshold(notices: Notices): Promise<void> {
  const title = "Escalate completions whose confidence is below";
  const chosen = await vscode.window.showQuickPick(CHOICES, { title });
  if (chosen === undefined) {
    return;
  }
  const value = chosen.label === OTHER ? await askForNumber(title) : chosen.value;
  if (chosen.label === OTHER && value === undefined) {
    return;
  }
  try {
    const settings = vscode.workspace.getConfiguration(SECTION);
    await settings.update(KEY, value, vscode.ConfigurationTarget.Global);
  } catch (error) {
    void notices.answer("error", `The threshold was not written: ${String(error)}`);
  }
}

async function askForNumber(title: string): Promise<number | undefined> {
  const text = await vscode.window.showInputBox({ title, validateInput: complaint });
  return text === undefined ? undefined : Number(text);
}

function complaint(text: string): string | undefined {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  const good = value >= LIMITS.low && value <= LIMITS.high;
  return good ? undefined : `Give a number from ${LIMITS.low} to ${LIMITS.high}.`;
}
