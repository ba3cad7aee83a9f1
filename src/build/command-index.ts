import { join } from "node:path";
import type { Command } from "../cli/definition/command.ts";
import { helpSections, usageOf } from "../cli/definition/help.ts";

/** Files beside the commands that the build writes. */
const MADE = ["index.ts", "overview.ts"];
/** What a command is, as the files beside the commands import it. */
const DEFINITION = "../definition/command.ts";
const LINE_WIDTH = 110;
const NOTE = `// Made by "bun run build" from the files beside it; do not edit.`;

/**
 * Returns the source of `cli/commands/index.ts`: for each word that calls a command, the import of the command's file.
 * Rejects when a file is not named like its command, or two commands have a word in common.
 */
export async function commandIndex(directory: string): Promise<string> {
  const rows = new Map<string, string>();
  for (const [file, command] of await commandsIn(directory)) {
    if (file !== `${command.name}.ts`) throw new Error(`${file} holds the command "${command.name}"`);
    for (const word of [command.name, ...(command.aliases ?? [])]) {
      if (rows.has(word)) throw new Error(`two commands are called "${word}"`);
      rows.set(word, `  ["${word}", () => import("./${file}")],`);
    }
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  return `${NOTE}
import type { Command } from "${DEFINITION}";

/** The file of every command, by the words that call it. */
export const COMMANDS: ReadonlyMap<string, () => Promise<{ command: Command }>> = new Map([
${sorted.join("\n")}
]);
`;
}

/** Returns the source of `cli/commands/overview.ts`: what the help of the program shows, so that it loads no command. */
export async function commandOverview(directory: string): Promise<string> {
  const commands = (await commandsIn(directory)).map(([, command]) => command);
  const sections = helpSections(commands).map(([title, rows]): OverviewSection => {
    return [title, rows.map((row) => ({ usage: usageOf(row), summary: row.summary }))];
  });
  return `${NOTE}
/** The sections of the help, in order, each with its commands. */
export const OVERVIEW: readonly (readonly [string, readonly { usage: string; summary: string }[]])[] = [
${sections.map(sectionText).join("\n")}
];
`;
}

type OverviewSection = [title: string, rows: { usage: string; summary: string }[]];

function sectionText([title, rows]: OverviewSection): string {
  return `  [\n    ${JSON.stringify(title)},\n    [\n${rows.map(rowText).join("\n")}\n    ],\n  ],`;
}

/** Returns the source of a row as the formatter writes it: on one line if it fits. */
function rowText(row: OverviewSection[1][number]): string {
  const [usage, summary] = [`usage: ${JSON.stringify(row.usage)}`, `summary: ${JSON.stringify(row.summary)}`];
  const line = `      { ${usage}, ${summary} },`;
  return line.length <= LINE_WIDTH ? line : `      {\n        ${usage},\n        ${summary},\n      },`;
}

async function commandsIn(directory: string): Promise<[file: string, command: Command][]> {
  const files = await Array.fromAsync(new Bun.Glob("*.ts").scan(directory));
  return Promise.all(
    files
      .filter((file) => !MADE.includes(file))
      .map(async (file): Promise<[string, Command]> => {
        const { command }: { command: Command } = await import(join(directory, file));
        return [file, command];
      }),
  );
}
