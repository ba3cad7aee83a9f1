import manifest from "../../package.json" with { type: "json" };
import { replacePart } from "../../src/build/made.ts";

/** A table in a page that a program makes of what it tried. */
export interface MadeTable {
  /** The mark before it, with the command that makes it. */
  start: string;
  head: readonly string[];
  /** Where a row stands among the others. */
  place(cells: readonly string[]): number;
}

/** What is tried now: the version and the day. */
export function triedOn(now = new Date()): string {
  return `${manifest.version}, ${now.toISOString().slice(0, 10)}`;
}

/** Writes rows into the table of a page. */
export async function writeRows(
  page: string,
  table: MadeTable,
  rows: readonly (readonly string[])[],
): Promise<void> {
  await Bun.write(page, withRows(await Bun.file(page).text(), table, rows));
}

/** Returns a page with rows in its table: those of the same first cell are replaced, the others stay. */
export function withRows(
  markdown: string,
  { start, head, place }: MadeTable,
  rows: readonly (readonly string[])[],
): string {
  const mark = `${start}\n`;
  const before = markdown.slice(markdown.indexOf(mark) + mark.length).split("<!-- End -->")[0] ?? "";
  const kept = before
    .split("\n")
    .slice(2)
    .filter((line) => line !== "")
    .map((line) => line.slice(2, -2).split(" | "));
  const all = new Map([...kept, ...rows].map((cells) => [cells[0], cells]));
  const sorted = [...all.values()].sort((one, other) => place(one) - place(other));
  const lines = [head, head.map(() => "---"), ...sorted].map((cells) => `| ${cells.join(" | ")} |\n`);
  return replacePart(markdown, mark, lines.join(""));
}
