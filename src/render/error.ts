import type { MementorError } from "../errors.ts";
import { printable } from "../text/printable.ts";
import { styleFor } from "./style.ts";

/** Renders an error for a terminal: what is wrong, and what to do about it. */
export function renderError(
  error: MementorError,
  output: { isTerminal: boolean },
  env: Readonly<Record<string, string | undefined>>,
): string {
  const style = styleFor(output, env);
  const hint = error.hint ? `  ${printable(error.hint)}\n` : "";
  return `${style.red("mementor:")} ${printable(error.message)}\n${hint}`;
}
