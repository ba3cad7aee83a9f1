import { dropInvisible } from "./invisible.ts";

const ESCAPE_SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\|\x1b[@-Z\\-_]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/**
 * Returns the text without terminal escapes, control characters and invisible characters; tabs and newlines stay.
 * Separators of lines and paragraphs are newlines: otherwise what follows one would leave the quote that its line is
 * in.
 */
export function printable(text: string): string {
  return dropInvisible(
    text
      .replace(ESCAPE_SEQUENCES, "")
      .replace(/\r\n?|[\u2028\u2029]/g, "\n")
      .replace(CONTROLS, ""),
  );
}
