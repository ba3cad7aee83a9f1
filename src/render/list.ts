import { printable } from "../text/printable.ts";
import { cutStartToWidth, cutToWidth, widthOf } from "../text/width.ts";
import type { Style } from "./style.ts";

export interface Column {
  title: string;
  align?: "right";
  /** Gives way where the line is too long: `end` is cut at its end, `start` at its start. */
  cut?: "end" | "start";
  /** No wider than this, whatever the line has room for. */
  most?: number;
  paint?: (text: string) => string;
}

const GAP = "  ";
/** A column that gives way keeps so much. */
const LEAST = 12;

/** Stands before what was imported: it says from where. Empty for what was ingested here. */
export function foreignMark(foreign: string | null): string {
  return foreign === null ? "" : `[imported from ${oneLine(foreign)}] `;
}

/** Returns a text on one line, safe for a terminal. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, " ").trim();
}

/**
 * Renders rows under a line of titles, each column as wide as its widest cell. Where that is wider than `width`
 * (null: no limit), the columns with a `cut` are cut. Cells are made safe for a terminal.
 */
export function renderList(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { style, width }: { style: Style; width: number | null },
): string {
  const cells = rows.map((row) =>
    columns.map(({ most }, i) => {
      const text = oneLine(row[i] ?? "");
      return most === undefined ? text : cutToWidth(text, most);
    }),
  );
  const widths = fit(columns, cells, width);
  const line = (row: readonly string[], paint: (column: Column) => ((text: string) => string) | undefined) =>
    columns
      .map((column, i) => cell(column, row[i] ?? "", widths[i] ?? 0, i === columns.length - 1, paint(column)))
      .join(GAP)
      .trimEnd();
  const titles = columns.map(({ title }) => title);
  return [line(titles, () => style.dim), ...cells.map((row) => line(row, ({ paint }) => paint))]
    .map((text) => `${text}\n`)
    .join("");
}

function fit(
  columns: readonly Column[],
  cells: readonly (readonly string[])[],
  width: number | null,
): number[] {
  const widths = columns.map(({ title }, i) =>
    cells.reduce((widest, row) => Math.max(widest, widthOf(row[i] ?? "")), widthOf(title)),
  );
  if (width === null) return widths;
  let over = widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length) - width;
  for (const [i, { cut }] of columns.entries()) {
    if (cut === undefined || over <= 0) continue;
    const narrower = Math.max(LEAST, (widths[i] ?? 0) - over);
    if (narrower >= (widths[i] ?? 0)) continue;
    over -= (widths[i] ?? 0) - narrower;
    widths[i] = narrower;
  }
  return widths;
}

function cell(
  { align, cut }: Column,
  text: string,
  width: number,
  isLast: boolean,
  paint: (text: string) => string = (plain) => plain,
): string {
  const shown = cut === "start" ? cutStartToWidth(text, width) : cutToWidth(text, width);
  const space = " ".repeat(Math.max(0, width - widthOf(shown)));
  if (align === "right") return space + paint(shown);
  return isLast ? paint(shown) : paint(shown) + space;
}
