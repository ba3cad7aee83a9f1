import { mkdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import * as v from "valibot";
import { ioError } from "../../io/errors.ts";
import { readIfExists } from "../../io/read.ts";
import { writeAtomic } from "../../io/write.ts";
import type { HookEntry } from "../hook-entries.ts";
import type { SettingsChange } from "../settings-file.ts";

const Command = v.optional(v.string(), "");

/** Copilot's format: for each event a list of commands, `powershell` for Windows and `bash` for other systems. */
const ListFile = v.object({
  hooks: v.record(v.string(), v.array(v.object({ bash: Command, powershell: Command }))),
});

function textOf(entries: readonly HookEntry[]): string {
  const hooks = Object.fromEntries(
    entries.map(({ event, command, timeoutSeconds, shell = "bash" }) => [
      event,
      [{ type: "command", [shell]: command, timeoutSec: timeoutSeconds }],
    ]),
  );
  return `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`;
}

/** Writes a file that contains only mementor's hooks. */
export function writeListFile(file: string, entries: readonly HookEntry[]): SettingsChange {
  const current = readIfExists(file);
  const wanted = textOf(entries);
  if (current === wanted) return "unchanged";
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch (error) {
    throw ioError(error, `make ${dirname(file)}`);
  }
  writeAtomic(file, wanted);
  return current === null ? "created" : "changed";
}

/** Deletes a file of mementor's hooks, and its directory if it is empty then. */
export function removeListFile(file: string): SettingsChange {
  if (readIfExists(file) === null) return "unchanged";
  rmSync(file, { force: true });
  try {
    rmdirSync(dirname(file));
  } catch {
    // The directory contains other hooks.
  }
  return "removed";
}

/** Lists the commands in a file of mementor's hooks. Empty when it is missing or broken. */
export function listedHooks(file: string): { event: string; command: string }[] {
  try {
    const { hooks } = v.parse(ListFile, JSON.parse(readIfExists(file) ?? ""));
    return Object.entries(hooks).flatMap(([event, list]) =>
      list.map(({ bash, powershell }) => ({ event, command: bash || powershell })),
    );
  } catch {
    return [];
  }
}
