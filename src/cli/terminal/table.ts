import { widthOf, wrap } from "../../text/width.ts";

/** Minimum width of a column of labels. */
const LABEL_WIDTH = 10;

/** Renders labels, each followed by its lines. Lines after the first are indented below it. */
export function renderFacts(facts: readonly (readonly [label: string, lines: readonly string[]])[]): string {
  const shown = facts.filter(([, lines]) => lines.length > 0);
  const width = Math.max(LABEL_WIDTH, ...shown.map(([label]) => widthOf(label) + 2));
  return shown
    .flatMap(([label, lines]) =>
      lines.map(
        (line, at) => `${at === 0 ? label + " ".repeat(width - widthOf(label)) : " ".repeat(width)}${line}\n`,
      ),
    )
    .join("");
}

/** Minimum width of the column of texts; with less, they go below the names. */
const MIN_TEXT_WIDTH = 28;

/**
 * Renders names, each followed by its text in a second column. Wraps texts to `width` (null: no limit). If the second column
 * would be too narrow, each text goes below its name.
 */
export function renderTerms(
  rows: readonly (readonly [name: string, text: string])[],
  width: number | null,
  indent = "  ",
): string {
  const names = Math.max(0, ...rows.map(([name]) => widthOf(name)));
  const start = indent.length + names + 2;
  const room = width === null ? Number.POSITIVE_INFINITY : width - start;
  if (width !== null && room < MIN_TEXT_WIDTH) return renderBelow(rows, width, indent);
  return rows
    .flatMap(([name, text]) =>
      wrap(text, room).map((line, at) =>
        at === 0
          ? `${indent}${name}${" ".repeat(names - widthOf(name))}  ${line}\n`
          : `${" ".repeat(start)}${line}\n`,
      ),
    )
    .join("");
}

function renderBelow(
  rows: readonly (readonly [name: string, text: string])[],
  width: number,
  indent: string,
): string {
  const inner = `${indent}      `;
  return rows
    .flatMap(([name, text]) => [
      `${indent}${name.trimEnd()}\n`,
      ...wrap(text, width - inner.length).map((line) => `${inner}${line}\n`),
    ])
    .join("");
}

/** Renders rows in columns as wide as their widest cell. The last column is not padded. */
export function renderColumns(rows: readonly (readonly string[])[], gap = "  "): string[] {
  const width = (at: number) => Math.max(0, ...rows.map((row) => widthOf(row[at] ?? "")));
  return rows.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell + " ".repeat(width(at) - widthOf(cell))))
      .join(gap)
      .trimEnd(),
  );
}

/** Renders a size in bytes, `3.1 MB`. */
export function renderBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(0)} KB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}
