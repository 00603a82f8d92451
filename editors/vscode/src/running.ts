/** Programs run to their end, without a shell. */

import { execFile } from "node:child_process";

export interface Outcome {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

const MOST_CHARACTERS = 10_000_000;

/** Runs a program; one that cannot be started has code -1. */
export function run(
  program: string,
  args: readonly string[],
  onText: (text: string) => void = () => {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { encoding: "utf8", maxBuffer: MOST_CHARACTERS, windowsHide: true } as const;
    const child = execFile(program, args, options, (error, output, errors) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, output, errors: errors === "" && code === -1 ? String(error) : errors });
    });
    child.stdout?.on("data", onText);
    child.stderr?.on("data", onText);
  });
}

/** The last line that says something. */
export function lastLine(text: string): string {
  return text.trimEnd().split("\n").pop()?.trim() ?? "";
}
