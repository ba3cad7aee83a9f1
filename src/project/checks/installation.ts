import { realPathIfExists } from "../../io/read.ts";
import { type Check, failure, ok, warning } from "../doctor.ts";
import type { HooksState } from "../hooks-state.ts";
import { mementorOnPath } from "../on-path.ts";

export interface InstallationContext {
  /** How this program is started. */
  self: readonly string[];
  platform: NodeJS.Platform;
  /** The `PATH` variable. */
  path: string;
  version: string;
  hooks: () => readonly HooksState[];
  /** Asks another binary for its `--version`; null when it does not answer. */
  versionOf: (binary: string) => Promise<string | null>;
}

/** Checks that the shell which runs hooks finds this binary, of this version. */
export function installationChecks(context: InstallationContext): Check[] {
  return [{ name: "binary", run: () => checkBinary(context) }];
}

async function checkBinary({ self, platform, path, version, hooks, versionOf }: InstallationContext) {
  const found = mementorOnPath(path, platform);
  const needsPath = hooks().some(({ scope, events }) => scope === "project" && events.length > 0);
  if (found === null) {
    const advice = `Put it there: ln -s ${self[0]} ~/.local/bin/mementor; or run "mementor enable --scope local".`;
    if (needsPath) return failure('The shared hooks run "mementor", which is not on the PATH.', advice);
    return ok(`Runs as ${self.join(" ")}; "mementor" is not on the PATH.`);
  }
  if (realPathIfExists(found) === realPathIfExists(self[0] ?? ""))
    return ok(`${found} is on the PATH (${version}).`);
  const other = await versionOf(found);
  if (other === version) return ok(`${found} is on the PATH (${version}), a copy of this binary.`);
  return warning(
    `${found} comes first on the PATH, and is ${other ?? "a program that does not answer"}; this is ${version}.`,
    "Replace it by this binary, or remove it.",
  );
}
