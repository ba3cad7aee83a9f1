import { COMMANDS } from "./commands/index.ts";
import type { Command } from "./definition/command.ts";

/** Loads the command that a word calls, by its name or an alias; null when there is none. */
export async function loadCommand(word: string): Promise<Command | null> {
  const load = COMMANDS.get(word);
  return load ? (await load()).command : null;
}

/** Loads every command: for help, completions and suggestions. */
export async function loadCommands(): Promise<Command[]> {
  const loaded = await Promise.all([...COMMANDS.values()].map((load) => load()));
  return [...new Set(loaded.map(({ command }) => command))];
}
