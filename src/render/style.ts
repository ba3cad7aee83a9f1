import { isUtf8, toAscii } from "../text/ascii.ts";

/** Colours and characters of a terminal. Without a terminal, the functions for colours return the text unchanged. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
  /** A text in the characters that can be shown: unchanged, or in ASCII on a terminal without UTF-8. */
  text(text: string): string;
  /** Stands where a text was cut. */
  ellipsis: string;
  /** Stands between facts on a line. */
  dot: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns colours for a terminal; none for a pipe, or when `NO_COLOR` (no-color.org) or `TERM=dumb` is set. On a
 * terminal without a UTF-8 locale, the characters are those of ASCII.
 */
export function styleFor(output: { isTerminal: boolean }, env: Environment): Style {
  const isPlain = !output.isTerminal || (env.NO_COLOR ?? "") !== "" || env.TERM === "dumb";
  const paint = (open: number, close: number) => (text: string) =>
    isPlain || text === "" ? text : `\x1b[${open}m${text}\x1b[${close}m`;
  const hasUnicode = !output.isTerminal || isUtf8(env);
  return {
    text: hasUnicode ? (text) => text : toAscii,
    ellipsis: hasUnicode ? "…" : "...",
    dot: hasUnicode ? "·" : "-",
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}
