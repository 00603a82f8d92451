/** What the user has set in VS Code, as the server takes it. */

import * as vscode from "vscode";

export const SECTION = "synconfroute";

/**
 * The server's settings that somebody set in VS Code, by their dotted names.
 *
 * Defaults are left out: the editor is a stronger place than the user's settings file, and a
 * default sent from here would override what stands there.
 */
export function chosenSettings(names: readonly string[]): Record<string, unknown> {
  const all = vscode.workspace.getConfiguration(SECTION);
  const isSet = (name: string) => {
    const at = all.inspect(name);
    return [at?.globalValue, at?.workspaceValue, at?.workspaceFolderValue].some(
      (value) => value !== undefined,
    );
  };
  const set = names.filter((name) => isSet(name) && all.get(name) !== null);
  return Object.fromEntries(set.map((name) => [name, plain(all.get(name))]));
}

/** The names, without the section, of the settings that the server reads. */
export function serverSettings(packageJson: ContributedSettings): readonly string[] {
  return packageJson.contributes.configuration
    .flatMap((category) => Object.keys(category.properties))
    .map((name) => name.slice(SECTION.length + 1))
    .filter((name) => !name.startsWith("server."));
}

/** The part of package.json that is read here. */
export interface ContributedSettings {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Record<string, unknown> }[];
  };
}

/** VS Code hands out proxies, which do not survive the way to the server. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
