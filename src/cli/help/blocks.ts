import { widthOf, wrap } from "../../text/width.ts";
import { PIPE_WIDTH, type Style } from "../terminal/screen.ts";
import { renderColumns, renderTerms } from "../terminal/table.ts";

/** Terms with their descriptions. */
export type Terms = readonly (readonly [name: string, text: string])[];

/** A block of help or documentation. Its texts are single lines, whatever the line breaks of the source. */
export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string; indent?: string }
  | { kind: "terms"; rows: Terms }
  | { kind: "code"; lines: readonly string[] }
  | { kind: "item"; marker: string; depth: number; text: string }
  | { kind: "table"; titles: readonly string[]; rows: readonly (readonly string[])[] };

/** The output of a text; `width` is null in a pipe. */
interface Screen {
  style: Style;
  width: number | null;
}

/** Renders help: its sections close together, names and code indented a little. */
export function renderHelp(blocks: readonly Block[], { style, width }: Screen): string {
  return blocks
    .map((block, at) => {
      if (block.kind === "terms") return renderTerms(block.rows, width);
      if (block.kind === "code") return block.lines.map((line) => `  ${line}\n`).join("");
      return `${block.kind === "heading" && at > 0 ? "\n" : ""}${renderBlock(block, width ?? PIPE_WIDTH, style)}`;
    })
    .join("");
}

/** Renders a page to read, such as one of the documentation. */
export function renderPage(blocks: readonly Block[], { style, width }: Screen): string {
  return blocks
    .map((block, at) => {
      const text = renderBlock(block, width ?? PIPE_WIDTH, style);
      const isList = block.kind === "item" && blocks[at - 1]?.kind === "item";
      return at === 0 || isList ? text : `\n${text}`;
    })
    .join("");
}

/** Renders a manual page in the man(7) macros of troff. */
export function renderManual(blocks: readonly Block[], name: string, version: string): string {
  const title = `.TH ${quoted(name.toUpperCase())} 1 "" ${quoted(`mementor ${version}`)} "User Commands"`;
  return `${[title, ...blocks.flatMap(roffLines)].join("\n")}\n`;
}

function roffLines(block: Block): string[] {
  switch (block.kind) {
    case "heading":
      return block.level === 2 ? [`.SH ${quoted(block.text.toUpperCase())}`] : [`.SS ${quoted(block.text)}`];
    case "paragraph":
      return [".PP", roff(block.text)];
    case "terms":
      return block.rows.flatMap(([name, text]) => [".TP", `.B ${roff(name.trim())}`, roff(text)]);
    case "code":
      return [".PP", ".nf", ...block.lines.map(roff), ".fi"];
    default:
      throw new Error(`a manual page has no ${block.kind}`);
  }
}

/** Escapes text for troff: backslashes, hyphens, and a control character at the start. */
function roff(text: string): string {
  const escaped = text.replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

/** Quotes an argument of a macro. */
function quoted(text: string): string {
  return `"${roff(text).replaceAll('"', '""')}"`;
}

function renderBlock(block: Block, width: number, style: Style): string {
  switch (block.kind) {
    case "heading": {
      const text = plainText(block.text, style);
      return paragraph(block.level === 1 ? text.toUpperCase() : text, width, style.bold);
    }
    case "paragraph":
      return renderHanging(block.indent ?? "", plainText(block.text, style), width);
    case "terms":
      return renderTerms(block.rows, width);
    case "item":
      return renderItem(block, width, style);
    case "code":
      return block.lines.flatMap((line) => codeLines(line, width)).join("");
    case "table":
      return renderTable(block, width, style);
  }
}

function paragraph(text: string, width: number, paint = (line: string) => line): string {
  return wrap(text, width)
    .map((line) => `${paint(line)}\n`)
    .join("");
}

const CODE_INDENT = "    ";

/**
 * Renders a line of code without breaking it, which would make it another command. If it is too long, its comment goes above it.
 */
function codeLines(line: string, width: number): string[] {
  if (widthOf(CODE_INDENT + line) <= width) return [`${CODE_INDENT}${line}`.trimEnd().concat("\n")];
  if (line.startsWith("# ")) return [commentLines(line.slice(2), width)];
  const [, code = line, comment] = /^(.*?\S)\s+# (.+)$/.exec(line) ?? [];
  const shown = `${CODE_INDENT}${code}\n`;
  return comment === undefined ? [shown] : [commentLines(comment, width), shown];
}

/** Renders a code comment with `#` before each line, so that none of it runs when copied. */
function commentLines(comment: string, width: number): string {
  const lead = `${CODE_INDENT}# `;
  return wrap(comment, width - lead.length)
    .map((line) => `${lead}${line}\n`)
    .join("");
}

function renderItem(
  { marker, depth, text }: Extract<Block, { kind: "item" }>,
  width: number,
  style: Style,
): string {
  const lead = `${" ".repeat(depth)}${marker} `;
  return renderHanging(lead, plainText(text, style), width);
}

/** Renders a text with a hanging indent below `lead`. */
function renderHanging(lead: string, text: string, width: number): string {
  const start = widthOf(lead);
  return wrap(text, width - start)
    .map((line, at) => `${at === 0 ? lead : " ".repeat(start)}${line}\n`)
    .join("");
}

/**
 * Renders a table: as a list of terms if it has two columns and short names, else in columns if it has more than two and they
 * fit, else with a paragraph for each row.
 */
function renderTable(
  { titles, rows }: Extract<Block, { kind: "table" }>,
  width: number,
  style: Style,
): string {
  const texts = rows.map((row) => row.map((cell) => plainText(cell, style)));
  const longest = Math.max(0, ...texts.map(([name = ""]) => widthOf(name)));
  const heads = titles.map((title) => plainText(title, style)).filter((title) => title !== "");
  const head = heads.length > 0 && titles.length === 2 ? paragraph(heads.join(": "), width, style.dim) : "";
  if (titles.length === 2 && longest <= width / 3) {
    const terms = texts.map(([name = "", text = ""]) => [name, text] as const);
    return `${head}${renderTerms(terms, width, "")}`;
  }
  if (titles.length > 2) {
    const lines = renderColumns([titles.map((title) => plainText(title, style)), ...texts]);
    if (lines.every((line) => widthOf(line) <= width))
      return lines.map((line, at) => `${at === 0 ? style.dim(line) : line}\n`).join("");
  }
  const shown = texts
    .map(([name = "", ...cells]) => {
      const facts = cells.map((cell, at) => [plainText(titles[at + 1] ?? "", style), cell] as const);
      const known = facts.filter(([, cell]) => cell !== "");
      return `${paragraph(name, width, style.bold)}${known.map(([title, cell]) => renderHanging("    ", title === "" || cells.length === 1 ? cell : `${title}: ${cell}`, width)).join("")}`;
    })
    .join("");
  return `${head}${shown}`;
}

/** Returns the text of a line without Markdown. A link to a page becomes the command that shows the page. */
function plainText(text: string, style: Style): string {
  return text
    .replace(/\[([^\]]+)\]\(([\w-]+)\.md(?:#[\w-]*)?\)/g, '$1 ("mementor help $2")')
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, "$1 ($2)")
    .replaceAll("**", "")
    .replace(/`([^`]+)`/g, (whole, code: string) => paintedCode(code, style) ?? whole);
}

/** Maximum width of a coloured word; a longer one may be wrapped, which would break its colour codes. */
const PAINTED_WIDTH = 24;

/**
 * Colours each word of code separately, because a line may end after any of them. Null without colours, or if a word is too long.
 */
function paintedCode(code: string, style: Style): string | null {
  const words = code.split(" ");
  if (style.cyan(code) === code || words.some((word) => widthOf(word) > PAINTED_WIDTH)) return null;
  return words.map((word) => style.cyan(word)).join(" ");
}

/** Parses Markdown into blocks. Leaves out images and HTML, which a terminal cannot show. */
export function parseMarkdown(markdown: string): Block[] {
  const lines = markdown.split("\n");
  const blocks: Block[] = [];
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    if (line.startsWith("```")) blocks.push({ kind: "code", lines: takeCode(lines) });
    else if (line.startsWith("|"))
      blocks.push(tableOf([line, ...takeWhile(lines, (row) => row.startsWith("|"))]));
    else if (/^<!--.*-->$/.test(line)) continue;
    else if (line.startsWith("<")) takeWhile(lines, (text) => text.trim() !== "");
    else if (line.trim() !== "") parseText(line, blocks, lines);
  }
  return blocks;
}

const HEADING = /^(#+) (.+)$/;
const ITEM = /^( *)(-|\d+\.) (.+)$/;

/** Parses a heading, an item or a paragraph with its continuation lines. */
function parseText(line: string, blocks: Block[], lines: string[]): void {
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

/** Removes and returns the lines up to the closing fence. */
function takeCode(lines: string[]): string[] {
  const code = takeWhile(lines, (line) => !line.startsWith("```"));
  lines.shift();
  return code;
}

function tableOf(lines: readonly string[]): Block {
  const [titles = [], , ...rows] = lines.map(cellsOf);
  return { kind: "table", titles, rows };
}

/** Splits a table row at its bars, except those after a backslash. */
function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\||\|$/g, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function takeWhile(lines: string[], keep: (line: string) => boolean): string[] {
  const end = lines.findIndex((line) => !keep(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}
