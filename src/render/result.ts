import { renderJson } from "./json.ts";

/** Renders what a command found or did as one line of JSON; names are in snake case, as everywhere outside the program. */
export function renderResult(value: unknown): string {
  return renderJson(snakeCased(value));
}

function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [snake(name), snakeCased(inner)]));
}

/** Only names of ours: dotted settings, paths and kinds with hyphens are data, and stay as they are. */
function snake(name: string): string {
  return /^[a-z]+(?:[A-Z][a-z]*)+$/.test(name)
    ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    : name;
}
