import { widthOf } from "../../text/width.ts";
import { wrap } from "../../text/wrap.ts";
import { renderColumns } from "../table.ts";

const GAP = 2;

/**
 * Renders a table in columns, below its titles, which go on in further lines where they are wider than what is below them.
 * Null where the cells do not fit side by side in `width`.
 */
export function renderGrid(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { width, dim }: { width: number; dim: (line: string) => string },
): string | null {
  const widths = titles.map((title, at) =>
    Math.max(...title.split(" ").map(widthOf), ...rows.map((row) => widthOf(row[at] ?? ""))),
  );
  const room = width - GAP * (titles.length - 1) - widths.reduce((sum, each) => sum + each, 0);
  if (room < 0) return null;
  const heads = wrapped(titles, widths, room);
  const height = Math.max(...heads.map((lines) => lines.length));
  const above = Array.from({ length: height }, (_, line) => heads.map((lines) => lines[line] ?? ""));
  return renderColumns([...above, ...rows])
    .map((line, at) => `${at < height ? dim(line) : line}\n`)
    .join("");
}

/** Wraps titles in columns of these widths. `room` widens those that take most lines. */
function wrapped(titles: readonly string[], widths: readonly number[], room: number): string[][] {
  const heads = titles.map((title, at) => wrap(title, widths[at] ?? 0));
  const most = Math.max(...heads.map((lines) => lines.length));
  if (room === 0 || most === 1) return heads;
  const at = heads.findIndex((lines) => lines.length === most);
  return wrapped(
    titles,
    widths.map((width, each) => (each === at ? width + 1 : width)),
    room - 1,
  );
}
