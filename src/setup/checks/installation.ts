import { realPathIfExists, statIfExists } from "../../io/read.ts";
import type { HooksState } from "../hooks-state.ts";
import { mementorOnPath } from "../install-program.ts";
import { type Check, type Finding, failure, ok, warning } from "./checks.ts";

export interface InstallationContext {
  /** The command that starts this program. */
  self: readonly string[];
  platform: NodeJS.Platform;
  /** The `PATH` variable. */
  path: string;
  version: string;
  hooks: () => readonly HooksState[];
  /** The file that hooks start, whether it is this program, and how to install this program there. */
  program: { file: string; isThis: () => boolean; install: () => void };
  /** Returns another binary's `--version`; null when it does not answer. */
  versionOf: (binary: string) => Promise<string | null>;
}

/** Checks that a shell and the hooks find this binary, of this version. */
export function installationChecks(context: InstallationContext): Check[] {
  return [
    { name: "binary", run: () => checkBinary(context) },
    { name: "program", run: () => checkProgram(context) },
  ];
}

async function checkBinary({ self, platform, path, version, versionOf }: InstallationContext) {
  const found = mementorOnPath(path, platform);
  if (found === null) return ok(`Runs as ${self.join(" ")}; "mementor" is not on the PATH.`);
  if (realPathIfExists(found) === realPathIfExists(self[0] ?? ""))
    return ok(`${found} is on the PATH (${version}).`);
  const other = await versionOf(found);
  if (other === version) return ok(`${found} is on the PATH (${version}), a copy of this binary.`);
  return warning(
    `${found} comes first on the PATH, and is ${other ?? "a program that does not answer"}; this is ${version}.`,
    "Replace it with this binary, or remove it.",
  );
}

async function checkProgram({ hooks, program, version, versionOf }: InstallationContext): Promise<Finding> {
  const { file, isThis, install } = program;
  const advice = 'Run "mementor doctor --fix", or "mementor enable".';
  if (hooks().every(({ events }) => events.length === 0)) return ok("No hooks are installed.");
  if (isThis()) return ok(`Hooks start ${file}, which is this binary.`);
  if (!statIfExists(file)) return failure(`Hooks start ${file}, which is not there.`, advice, install);
  const other = await versionOf(file);
  if (other === version) return ok(`Hooks start ${file} (${version}).`);
  return warning(
    `Hooks start ${file}, which is ${other ?? "a program that does not answer"}; this is ${version}.`,
    advice,
    install,
  );
}
