/** A piece of a page, of the kinds that the documentation uses. Texts are single lines, however they were broken. */
export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "item"; marker: string; depth: number; text: string }
  | { kind: "code"; lines: readonly string[] }
  | { kind: "table"; titles: readonly string[]; rows: readonly (readonly string[])[] };

/** Reads Markdown into blocks. Pictures and other HTML are left out: a terminal shows none. */
export function blocksOf(markdown: string): Block[] {
  const lines = markdown.split("\n");
  const blocks: Block[] = [];
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    if (line.startsWith("```")) blocks.push({ kind: "code", lines: takeCode(lines) });
    else if (line.startsWith("|"))
      blocks.push(tableOf([line, ...takeWhile(lines, (row) => row.startsWith("|"))]));
    else if (/^<!--.*-->$/.test(line)) continue;
    else if (line.startsWith("<")) takeWhile(lines, (text) => text.trim() !== "");
    else if (line.trim() !== "") readText(line, blocks, lines);
  }
  return blocks;
}

const HEADING = /^(#+) (.+)$/;
const ITEM = /^( *)(-|\d+\.) (.+)$/;

/** Reads a heading, an item or a paragraph, with the lines that go on with it. */
function readText(line: string, blocks: Block[], lines: string[]): void {
  const [, marks, title] = HEADING.exec(line) ?? [];
  if (marks !== undefined && title !== undefined) {
    blocks.push({ kind: "heading", level: marks.length, text: title });
    return;
  }
  const [, indent = "", marker, first] = ITEM.exec(line) ?? [];
  const more = takeWhile(
    lines,
    (next) => next.trim() !== "" && !ITEM.test(next) && !/^(?:```|\||#+ |<)/.test(next),
  );
  const text = [first ?? line, ...more].map((part) => part.trim()).join(" ");
  if (marker === undefined) blocks.push({ kind: "paragraph", text });
  else blocks.push({ kind: "item", marker, depth: indent.length, text });
}

/** Takes the lines up to the fence that ends the code. */
function takeCode(lines: string[]): string[] {
  const code = takeWhile(lines, (line) => !line.startsWith("```"));
  lines.shift();
  return code;
}

function tableOf(lines: readonly string[]): Block {
  const [titles = [], , ...rows] = lines.map(cellsOf);
  return { kind: "table", titles, rows };
}

/** Splits a row at its bars; a bar after a backslash is one of the text. */
function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\||\|$/g, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function takeWhile(lines: string[], keep: (line: string) => boolean): string[] {
  const end = lines.findIndex((line) => !keep(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}
