import { withoutTags } from "../render/tags.ts";

/** Characters that JSON allows unescaped, but that control a terminal or are invisible. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const ACTIVE = /[\x00-\x1f\x7f-\x9f\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Renders a value as one line of JSON that is safe to print on a terminal. */
export function renderJson(value: unknown): string {
  return `${safeJson(JSON.stringify(value))}\n`;
}

/**
 * Escapes all characters in a line of JSON that control a terminal or are invisible, and those that start a tag with a meaning for
 * an agent, which reads what commands print. The value stays the same.
 */
export function safeJson(line: string): string {
  return withoutTags(
    line.replace(ACTIVE, (found) => found.split("").map(escaped).join("")),
    escaped,
  );
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Renders a command's result as one line of JSON. Names are in snake case, like all names in the output. */
export function renderResult(value: unknown): string {
  return renderJson(snakeCased(value));
}

function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [snake(name), snakeCased(inner)]));
}

/** Converts camel case only: settings with dots, paths and kinds with hyphens are data and stay as they are. */
function snake(name: string): string {
  return /^[a-z]+(?:[A-Z][a-z]*)+$/.test(name)
    ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    : name;
}
