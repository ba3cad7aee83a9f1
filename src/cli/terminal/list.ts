import { oneLine } from "../../agents/notices.ts";
import { printable } from "../../text/invisible.ts";
import { cutEvenlyToWidth, cutMiddleToWidth, cutToWords, widthOf } from "../../text/width.ts";
import type { Screen, Style } from "./screen.ts";

export interface Column {
  title: string;
  align?: "right";
  /**
   * Where a cell is truncated when the line is too long. Columns without it are never truncated to fit. Words stay whole
   * at the end; a path is truncated in its middle.
   */
  cut?: "end" | "middle";
  /** Maximum width of cells: in a pipe for columns with `cut`; on a terminal for columns without, if the line is too long. */
  maxWidth?: number;
  /** True if the column is left out where the line is too narrow, in the order of `LEFT_OUT_FIRST`. */
  isOptional?: true;
  paint?: (text: string) => string;
}

/** The columns that every list leaves out of lines that are too long, in this order. */
export const LEFT_OUT_FIRST = [
  "REPOSITORY",
  "DIMENSIONS",
  "TOKENS",
  "FROM",
  "FOUND BY",
  "FILES",
  "BRANCH",
  "SESSION",
  "SESSIONS",
  "TOOLS",
  "SHARED",
  "WAITING",
  "TURNS",
  "CHANGED",
  "WHY",
  "LEFT OUT",
  "NAMES",
  "OTHER",
  "WORDS",
  "MEANING",
  "VECTORS",
  "ANSWER TO",
  "LAST",
  "TIME",
  "WHEN",
] as const;

const GAP = "  ";

/** Minimum width of a truncated column. */
const MIN_WIDTH = 12;

/** Minimum width of a truncated column while other columns can be left out. */
const GOOD_WIDTH = 26;

/** Minimum width of a title while the branch can be left out, because titles differ in each row, branches in few. */
const ROOMY_WIDTH = 40;

/**
 * Renders rows below a line of titles, each row on one line. Each column is as wide as its widest cell. If the lines are
 * wider than `width` (null: no limit), columns that may go are left out, and columns with `cut` truncated. Makes all cells
 * safe for a terminal.
 */
export function renderList(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { style, width }: { style: Style; width: number | null },
): string {
  const all = rows.map((row) => columns.map((_, at) => style.text(oneLine(row[at] ?? ""))));
  const limits = limitsOf(columns, all, width);
  const limited = all.map((row) =>
    row.map((text, at) => cutToWords(text, limits[at] ?? Number.POSITIVE_INFINITY, style.ellipsis)),
  );
  const kept = keptColumns(columns, limited, width);
  const shown = kept.map((at) => columns[at]).filter((column) => column !== undefined);
  const cells = limited.map((row) => kept.map((at) => row[at] ?? ""));
  const widths = fit(shown, cells, width);
  const cutCells = shown.map((column, at) =>
    column.cut === "middle"
      ? truncatePaths(
          cells.map((row) => row[at] ?? ""),
          widths[at] ?? 0,
          style.ellipsis,
        )
      : null,
  );
  const fitted = cells.map((row, y) => row.map((text, at) => cutCells[at]?.[y] ?? text));
  const line = (row: readonly string[], paint: (column: Column) => ((text: string) => string) | undefined) =>
    shown
      .map((column, at) =>
        cell(
          { ...column, paint: paint(column) },
          row[at] ?? "",
          widths[at] ?? 0,
          at === shown.length - 1,
          style,
        ),
      )
      .join(GAP)
      .trimEnd();
  const titles = shown.map(({ title }) => title);
  return [line(titles, () => style.dim), ...fitted.map((row) => line(row, ({ paint }) => paint))]
    .map((text) => `${text}\n`)
    .join("");
}

/** Cuts paths in their middle: their names stay whole, unless different paths would look the same. */
function truncatePaths(texts: readonly string[], width: number, mark: string): string[] {
  const cut = texts.map((text) => cutMiddleToWidth(text, width, mark));
  return new Set(cut).size === new Set(texts).size
    ? cut
    : texts.map((text) => cutEvenlyToWidth(text, width, mark));
}

function naturalWidths(columns: readonly Column[], cells: readonly (readonly string[])[]): number[] {
  return columns.map(({ title }, at) =>
    cells.reduce((widest, row) => Math.max(widest, widthOf(row[at] ?? "")), widthOf(title)),
  );
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length);
}

/**
 * Returns the maximum widths of cells: in a pipe of columns with `cut`; otherwise of columns without, if the line is too long.
 */
function limitsOf(
  columns: readonly Column[],
  cells: readonly (readonly string[])[],
  width: number | null,
): (number | undefined)[] {
  // In a pipe, a name such as a branch is only useful whole.
  if (width === null) return columns.map(({ cut, maxWidth }) => (cut === undefined ? undefined : maxWidth));
  const isFull = lineWidth(naturalWidths(columns, cells)) > width;
  return columns.map(({ cut, maxWidth }) => (isFull && cut === undefined ? maxWidth : undefined));
}

/** Returns the indexes of the columns to show. Leaves columns out until the truncated ones have enough room. */
function keptColumns(
  columns: readonly Column[],
  cells: readonly (readonly string[])[],
  width: number | null,
): number[] {
  const kept = columns.map((_, at) => at);
  if (width === null) return kept;
  const widths = naturalWidths(columns, cells);
  const needed = (good: number) => (at: number) =>
    columns[at]?.cut === undefined ? (widths[at] ?? 0) : Math.min(widths[at] ?? 0, good);
  const mayGo = (title: string) => (at: number) =>
    columns[at]?.title === title && columns[at]?.isOptional === true;
  const lastRoomy = LEFT_OUT_FIRST.indexOf("BRANCH");
  for (const [place, title] of LEFT_OUT_FIRST.entries()) {
    const at = kept.findIndex(mayGo(title));
    const good = place <= lastRoomy ? ROOMY_WIDTH : GOOD_WIDTH;
    if (at !== -1 && lineWidth(kept.map(needed(good))) > width) kept.splice(at, 1);
  }
  return kept;
}

function fit(
  columns: readonly Column[],
  cells: readonly (readonly string[])[],
  width: number | null,
): number[] {
  const widths = naturalWidths(columns, cells);
  if (width === null) return widths;
  const cutAs = (cut: "end" | "middle") => (at: number) => columns[at]?.cut === cut;
  // Truncates words before paths, because half a path does not identify a file.
  const places = columns.map((_, at) => at);
  for (const cut of ["end", "middle"] as const) narrow(widths, places.filter(cutAs(cut)), width);
  return widths;
}

/** Narrows the widest of these columns until the row fits, so that they become about equally wide. */
function narrow(widths: number[], places: readonly number[], width: number): void {
  const widest = () =>
    places.reduce<number | undefined>(
      (best, at) => (best === undefined || (widths[at] ?? 0) > (widths[best] ?? 0) ? at : best),
      undefined,
    );
  for (let over = lineWidth(widths) - width; over > 0; over--) {
    const at = widest();
    if (at === undefined || (widths[at] ?? 0) <= MIN_WIDTH) return;
    widths[at] = (widths[at] ?? 0) - 1;
  }
}

function cell(
  { align, cut, paint = (plain) => plain }: Omit<Column, "paint"> & { paint: Column["paint"] | undefined },
  text: string,
  width: number,
  isLast: boolean,
  { ellipsis }: Style,
): string {
  const shown = cut === "middle" ? text : cutToWords(text, width, ellipsis);
  const space = " ".repeat(Math.max(0, width - widthOf(shown)));
  if (align === "right") return space + paint(shown);
  return isLast ? paint(shown) : paint(shown) + space;
}

/** A row that names its project, in a list over several projects. */
export interface ProjectRow {
  project?: string;
}

/** Returns the first column of a list over several projects; no column for a list of one project. */
export function projectColumn(rows: readonly ProjectRow[]) {
  const hasProjects = rows.some(({ project }) => project !== undefined);
  const columns: Column[] = hasProjects ? [{ title: "PROJECT", cut: "end", maxWidth: 24 }] : [];
  return { columns, cells: ({ project = "" }: ProjectRow) => (hasProjects ? [project] : []) };
}

/** Renders for each project of a list the command that shows one of its rows. */
export function renderPrograms(
  projects: readonly { name: string; program: string }[],
  command: string,
  { style }: Screen,
): string {
  const lines = projects.map(({ name, program }) => `${oneLine(name)}: ${printable(program)} ${command}`);
  return lines.length === 0 ? "" : `\n${lines.map((line) => `${style.dim(line)}\n`).join("")}`;
}
