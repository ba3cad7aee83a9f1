import { onOneLine } from "../text/one-line.ts";
import { printable } from "../text/printable.ts";
import { cutStartToWidth, cutToWidth, widthOf } from "../text/width.ts";
import type { Style } from "./style.ts";

export interface Column {
  title: string;
  align?: "right";
  /** Which end of a cell is truncated when the line is too long. Columns without it are never truncated to fit. */
  cut?: "end" | "start";
  /** Cells are truncated to this width, even if the line has room. */
  maxWidth?: number;
  paint?: (text: string) => string;
}

const GAP = "  ";
/** Minimum width of a truncated column. */
const MIN_WIDTH = 12;

/** Stands before what was imported: it says from where. Empty for what was ingested here. */
export function foreignMark(foreign: string | null): string {
  return foreign === null ? "" : `[imported from ${oneLine(foreign)}] `;
}

/** Returns a text on one line that is safe to print on a terminal. */
export function oneLine(text: string): string {
  return onOneLine(printable(text));
}

/**
 * Renders rows below a line of titles. Each column is as wide as its widest cell. If the lines are wider than `width`
 * (null: no limit), columns with `cut` are truncated. Makes all cells safe for a terminal.
 */
export function renderList(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { style, width }: { style: Style; width: number | null },
): string {
  const cells = rows.map((row) =>
    columns.map(({ maxWidth }, i) => {
      const text = oneLine(row[i] ?? "");
      return maxWidth === undefined ? text : cutToWidth(text, maxWidth);
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
    const narrower = Math.max(MIN_WIDTH, (widths[i] ?? 0) - over);
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
