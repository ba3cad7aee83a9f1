import { renderJson } from "./json.ts";

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
