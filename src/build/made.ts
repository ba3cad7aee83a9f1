import { join } from "node:path";
import { PLATFORMS, TARGETS } from "../assets/target.ts";
import type { Command } from "../cli/command-line/command.ts";
import { commandUsage, helpSections } from "../cli/command-line/command.ts";

const PAGES_NOTE = `// Made by "bun run build" from .github/docs; do not edit.`;
const COMMANDS_NOTE = `// Made by "bun run build" from the files beside it; do not edit.`;

/** Path from the generated index to the documentation pages. */
const FROM_INDEX = "../../../.github/docs/";

/** Returns the source of `cli/help/pages.ts`: the name of each page of the documentation with the import of its text. */
export async function pageIndex(directory: string): Promise<string> {
  const files = (await Array.fromAsync(new Bun.Glob("*.md").scan(directory))).sort();
  const rows = files.map((file) => {
    const text = `import("${FROM_INDEX}${file}", { with: { type: "text" } })`;
    return `  [${JSON.stringify(file.slice(0, -".md".length))}, () => ${text}],`;
  });
  return `${PAGES_NOTE}
/** The documentation pages in the binary, by the names that \`mementor help <page>\` takes. */
export const PAGES: ReadonlyMap<string, () => Promise<{ default: string }>> = new Map([
${rows.join("\n")}
]);
`;
}

/** Generated files beside the commands. */
const MADE = ["index.ts", "overview.ts"];
/** The module that defines the type of a command, relative to the generated files. */
const DEFINITION = "../command-line/command.ts";
const LINE_WIDTH = 110;

/**
 * Returns the source of `cli/commands/index.ts`, which maps each command word to the import of its file. Rejects when a file is
 * not named like its command, or two commands share a word.
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
  return `${COMMANDS_NOTE}
import type { Command } from "${DEFINITION}";

/** The file of every command, by the words that call it. */
export const COMMANDS: ReadonlyMap<string, () => Promise<{ command: Command }>> = new Map([
${sorted.join("\n")}
]);
`;
}

/** Returns the source of `cli/commands/overview.ts`: the data of the program's help, so that the help loads no command. */
export async function commandOverview(directory: string): Promise<string> {
  const commands = (await commandsIn(directory)).map(([, command]) => command);
  const sections = helpSections(commands).map(([title, listed]) => {
    const rows = listed.map((row) => rowText(commandUsage(row), row.summary));
    return `  [\n    ${JSON.stringify(title)},\n    [\n${rows.join("\n")}\n    ],\n  ],`;
  });
  return `${COMMANDS_NOTE}
/** The sections of the help in order, each with the usage and the summary of its commands. */
export const OVERVIEW: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
${sections.join("\n")}
];
`;
}

/** Returns the source of a row as the formatter writes it: on one line if it fits. */
function rowText(...words: readonly string[]): string {
  const texts = words.map((word) => JSON.stringify(word));
  const line = `      [${texts.join(", ")}],`;
  return line.length <= LINE_WIDTH ? line : `      [\n        ${texts.join(",\n        ")},\n      ],`;
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

const END = "<!-- End -->";

/** Replaces the text between `start` and the next end mark with `made`. Throws when a mark is missing. */
export function replacePart(markdown: string, start: string, made: string): string {
  const from = markdown.indexOf(start);
  const to = markdown.indexOf(END, from);
  if (from < 0 || to < from) throw new Error(`the text has no ${start.trim()} with ${END} after it`);
  return `${markdown.slice(0, from + start.length)}${made}${markdown.slice(to)}`;
}

const START = '<!-- Made by "bun run build" from src/assets/target.ts. -->\n';

/** Returns a page with a row for each platform in its table of archives. Throws when the page has no place for the table. */
export function withPlatformTable(markdown: string): string {
  const rows = TARGETS.map((target) => {
    const { machines, onnx } = PLATFORMS[target];
    return `| \`${target}\` | ${machines} | ${onnx === undefined ? "WASM" : "native"} |\n`;
  });
  return replacePart(markdown, START, `| archive | for | runs on |\n| --- | --- | --- |\n${rows.join("")}`);
}

const INSTALL_START = '<!-- Made by "bun run build" from "repository" in package.json. -->\n';

/**
 * Returns a text with the install commands for the newest release; null while its address is unknown. Throws when the text has no
 * place for them.
 */
export function withInstallLines(markdown: string, latest: string | null): string {
  return replacePart(markdown, INSTALL_START, `\`\`\`sh\n${installLines(latest)}\`\`\`\n`);
}

function installLines(latest: string | null): string {
  if (latest === null)
    return "npx --yes bun@1.4.5 run release --own && sh dist/release/install.sh     # in a clone, while no release is published\n";
  return `curl -fsSL ${latest}/install.sh | sh
irm ${latest}/install.ps1 | iex     # Windows, in PowerShell
scoop install ${latest}/mementor.json     # Windows, with Scoop
`;
}
