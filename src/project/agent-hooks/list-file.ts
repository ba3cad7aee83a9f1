import * as v from "valibot";
import { readIfExists } from "../../io/read.ts";
import type { HookEntry } from "../hook-entries.ts";
import type { SettingsChange } from "../settings-file.ts";
import { writeOwnFile } from "./own-file.ts";

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
  return writeOwnFile(file, textOf(entries));
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
