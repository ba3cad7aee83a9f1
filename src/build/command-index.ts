import { join } from "node:path";

/** One command, as the index needs it. */
interface Named {
  name: string;
  aliases?: readonly string[];
}

/**
 * Returns the source of `commands/index.ts`: for each word that calls a command, the import of the command's file.
 * Rejects when a file is not called like its command, or two commands have a word in common.
 */
export async function commandIndex(directory: string): Promise<string> {
  const rows = new Map<string, string>();
  for await (const file of new Bun.Glob("*.ts").scan(directory)) {
    if (file === "index.ts") continue;
    const { command }: { command: Named } = await import(join(directory, file));
    if (file !== `${command.name}.ts`) throw new Error(`${file} holds the command "${command.name}"`);
    for (const word of [command.name, ...(command.aliases ?? [])]) {
      if (rows.has(word)) throw new Error(`two commands are called "${word}"`);
      rows.set(word, `  ["${word}", () => import("./${file}")],`);
    }
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  return `// Made by "bun run build" from the files beside it; do not edit.
import type { Command } from "../command/command.ts";

/** The file of every command, by the words that call it. */
export const COMMANDS: ReadonlyMap<string, () => Promise<{ command: Command }>> = new Map([
${sorted.join("\n")}
]);
`;
}
