import type { MementorError } from "../errors.ts";
import { styleFor } from "./style.ts";
import { printableWords } from "./tags.ts";

/** Renders an error for a terminal: what is wrong, and what to do about it. */
export function renderError(
  error: MementorError,
  output: { isTerminal: boolean },
  env: Readonly<Record<string, string | undefined>>,
): string {
  const style = styleFor(output, env);
  const hint = error.hint ? `  ${style.text(printableWords(error.hint))}\n` : "";
  return `${style.red("mementor:")} ${style.text(printableWords(sentence(error.message)))}\n${hint}`;
}

/**
 * Returns a message as a sentence, with a capital and a full stop. Messages are also parts of longer sentences, and so
 * may have neither. The program's name keeps its small letter.
 */
export function sentence(message: string): string {
  const capital = /^(?!mementor )[a-z]+(?= )/.test(message)
    ? `${message[0]?.toUpperCase()}${message.slice(1)}`
    : message;
  return /[.!?:)]$/.test(capital) ? capital : `${capital}.`;
}
