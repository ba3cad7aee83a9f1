import { applyEdits, createScanner, type Edit, type Node, type ParseError, parseTree } from "jsonc-parser";
import { MementorError } from "../../errors.ts";
import { UNTRUSTED } from "../../io/untrusted.ts";
import { jsonMistake } from "../../text/json-mistakes.ts";

/** jsonc-parser's kinds of tokens that matter here; its own enum does not exist at run time. */
const TOKEN = { comma: 5, lineComment: 12, blockComment: 13, end: 17 } as const;

/** The text between two children, or between a child and a bracket. */
interface Gap {
  /** Of the comma in the gap; null without one. */
  comma: number | null;
  /** End of the last comma or comment in the gap, or its start. */
  tokenEnd: number;
}

/** Parses JSON with comments and trailing commas; throws `settings_invalid` with line and column of what is wrong. */
export function parseJson(text: string, file: string): Node {
  if (isTooDeep(text)) throw invalid(file, `it is nested deeper than ${UNTRUSTED.settingsDepth} levels`);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) throw invalid(file, jsonMistake(text, first));
  if (root?.type !== "object") throw invalid(file, "it is not a JSON object");
  return root;
}

/** Tells whether brackets are nested too deeply: the parser is recursive, and its stack is limited. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [mark] of text.matchAll(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|[[\]{}]/g)) {
    if (mark === "{" || mark === "[") depth++;
    else if (mark === "}" || mark === "]") depth--;
    if (depth > UNTRUSTED.settingsDepth) return true;
  }
  return false;
}

/** An error for settings that cannot be edited, and so are left alone. */
export function invalid(file: string, why: string): MementorError {
  return new MementorError("settings_invalid", `${file} cannot be edited: ${why}.`, {
    hint: "Correct the file and run the command again; nothing was changed.",
  });
}

/** Returns the value of an object's property; the last one of a duplicate key, as in `JSON.parse`. */
export function valueAt(object: Node | undefined, key: string): Node | undefined {
  return object?.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1];
}

/**
 * Appends a child to an object (with its `key`) or array, in the style of the text around it: indentation, line ends,
 * a trailing comma, everything on one line. What is there stays where it is, comments included.
 */
export function appendChild(text: string, container: Node, key: string | null, value: unknown): string {
  const layout = layoutOf(text, container);
  const content = render(key, value, layout);
  const last = container.children?.at(-1);
  const close = endOf(container) - 1;
  const from = last ? endOf(last) : container.offset + 1;
  if (layout.isInline)
    return applyEdits(text, [change(from, from, last ? `,${layout.space}${content}` : content)]);
  const { comma, tokenEnd } = readGap(text, from, close);
  const tail = last || text.slice(tokenEnd, close).includes("\n") ? "" : layout.eol + layout.indent;
  const line = layout.eol + layout.childIndent + content + (comma === null ? "" : ",") + tail;
  const separator = last && comma === null ? "," : "";
  return applyEdits(text, [change(from, from, separator), change(tokenEnd, tokenEnd, line)]);
}

/** Takes out a child (a property node or an element) with the comma and the white space that belong to it. */
export function removeChild(text: string, child: Node): string {
  const container = child.parent;
  const siblings = container?.children ?? [];
  const index = siblings.indexOf(child);
  if (!container || index < 0) return text;
  const previous = siblings[index - 1];
  const next = siblings[index + 1];
  const open = container.offset + 1;
  const before = readGap(text, previous ? endOf(previous) : open, child.offset);
  const after = readGap(text, endOf(child), next ? next.offset : endOf(container) - 1);
  const comma = after.comma ?? before.comma;
  const commas = comma === null ? [] : [change(comma, comma + 1)];
  const edited = applyEdits(text, [...commas, change(before.tokenEnd, endOf(child))]);
  const close = endOf(container) - 1 - (text.length - edited.length);
  const isEmptied = siblings.length === 1 && edited.slice(open, close).trim() === "";
  return isEmptied ? applyEdits(edited, [change(open, close)]) : edited;
}

/** Replaces a value, written in the style of the container that it stands in. */
export function replaceValue(text: string, node: Node, value: unknown): string {
  const layout = layoutOf(text, node.parent ?? node);
  return applyEdits(text, [change(node.offset, endOf(node), render(null, value, layout))]);
}

/** Removes the object or list at a path where nothing is left in it, unless it must stay. */
export function dropEmpty(text: string, path: readonly string[], isKept: boolean, file: string): string {
  const value = path.reduce<Node | undefined>(valueAt, parseJson(text, file));
  const isEmpty = value !== undefined && value.children?.length === 0 && isBare(text, value);
  return isEmpty && !isKept && value.parent ? removeChild(text, value.parent) : text;
}

/** Tells whether only white space is left between an object's or an array's brackets. */
export function isBare(text: string, container: Node): boolean {
  return text.slice(container.offset + 1, endOf(container) - 1).trim() === "";
}

function readGap(text: string, from: number, to: number): Gap {
  const scanner = createScanner(text.slice(from, to));
  const gap: Gap = { comma: null, tokenEnd: from };
  for (let token: number = scanner.scan(); token !== TOKEN.end; token = scanner.scan()) {
    if (token === TOKEN.comma) gap.comma = from + scanner.getTokenOffset();
    if (token === TOKEN.comma || token === TOKEN.lineComment || token === TOKEN.blockComment)
      gap.tokenEnd = from + scanner.getPosition();
  }
  return gap;
}

interface Layout {
  /** Everything on one line. */
  isInline: boolean;
  eol: string;
  unit: string;
  indent: string;
  childIndent: string;
  /** What stands after a comma or colon on one line. */
  space: string;
}

function layoutOf(text: string, container: Node): Layout {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const [member] = rootOf(container).children ?? [];
  const unit = (member && indentAt(text, member.offset)) || "  ";
  const [first] = container.children ?? [];
  const breaks = (to: number) => text.slice(container.offset, to).includes("\n");
  const indent = indentAt(text, container.offset);
  const ownLine = first && breaks(first.offset);
  return {
    isInline: first ? !ownLine : !text.trim().includes("\n") && !/^\{\s*\}$/.test(text.trim()),
    eol,
    unit,
    indent,
    childIndent: first && ownLine ? indentAt(text, first.offset) : indent + unit,
    space: /[,:] /.test(text) ? " " : "",
  };
}

function rootOf(node: Node): Node {
  return node.parent ? rootOf(node.parent) : node;
}

/** The white space at the start of the line that an offset is in. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function render(
  key: string | null,
  value: unknown,
  { isInline, eol, unit, childIndent, space }: Layout,
): string {
  const body = isInline
    ? JSON.stringify(value)
    : JSON.stringify(value, null, unit).replaceAll("\n", eol + childIndent);
  return key === null ? body : `${JSON.stringify(key)}:${isInline ? space : " "}${body}`;
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

function change(from: number, to: number, content = ""): Edit {
  return { offset: from, length: to - from, content };
}

/** Empty objects and lists that were there before mementor's rules, so that they are kept. */
interface KeptRules {
  permissions: boolean;
  allow: boolean;
}

/** Returns which empty objects and lists of a text must stay. */
export function findKeptRules(text: string, file: string): KeptRules {
  const permissions = valueAt(parseJson(text, file), "permissions");
  return { permissions: permissions !== undefined, allow: valueAt(permissions, "allow") !== undefined };
}

/** Lists the rules of a kind in Claude Code's settings. Throws `settings_invalid` for settings of another form. */
export function listRules(text: string, kind: "allow" | "ask" | "deny", file: string): string[] {
  const list = listIn(text, kind, file);
  return (list?.children ?? []).flatMap(({ value }: { value?: unknown }) =>
    typeof value === "string" ? [value] : [],
  );
}

/** Adds the rules that are not there to those that allow something, and keeps every other byte. */
export function addRules(text: string, rules: readonly string[], file: string): string {
  const there = listRules(text, "allow", file);
  return rules
    .filter((rule) => !there.includes(rule))
    .reduce((edited, rule) => {
      const root = parseJson(edited, file);
      const permissions = valueAt(root, "permissions");
      const allow = valueAt(permissions, "allow");
      if (allow !== undefined) return appendChild(edited, allow, null, rule);
      if (permissions !== undefined) return appendChild(edited, permissions, "allow", [rule]);
      return appendChild(edited, root, "permissions", { allow: [rule] });
    }, text);
}

/** Removes rules, each once, and objects and lists that become empty, except `kept`. */
export function removeRules(
  text: string,
  rules: readonly string[],
  file: string,
  kept: KeptRules = { permissions: false, allow: false },
): string {
  const without = rules.reduce((edited, rule) => {
    const node = listIn(edited, "allow", file)?.children?.findLast(({ value }) => value === rule);
    return node === undefined ? edited : removeChild(edited, node);
  }, text);
  if (without === text) return text;
  const withoutList = dropEmpty(without, ["permissions", "allow"], kept.allow, file);
  return dropEmpty(withoutList, ["permissions"], kept.permissions, file);
}

function listIn(text: string, kind: string, file: string): Node | undefined {
  const permissions = valueAt(parseJson(text, file), "permissions");
  if (permissions !== undefined && permissions.type !== "object")
    throw invalid(file, '"permissions" is not an object');
  const list = valueAt(permissions, kind);
  if (list !== undefined && list.type !== "array") throw invalid(file, `"permissions.${kind}" is not a list`);
  return list;
}
