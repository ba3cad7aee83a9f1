/** Characters with one meaning, and what stands for each of them. */
const GROUPS: readonly (readonly [characters: string, ascii: string])[] = [
  ["‐‑‒–—―−─━┄┈╌═·", "-"],
  ["│┃┆┊╎║", "|"],
  ["┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╭╮╯╰", "+"],
  ["█▉▊▋▌■▪●", "#"],
  ["░▒▓", "."],
  ["▏▎▍", " "],
  ["‘’‚‛′`´", "'"],
  ["“”„‟″«»", '"'],
  ["‹", "<"],
  ["›", ">"],
  ["•‣◦○", "*"],
  ["…", "..."],
  ["→⇒➜▶", "->"],
  ["←⇐◀", "<-"],
  ["↔⇔", "<->"],
  ["↑", "^"],
  ["↓", "v"],
  ["×✕✗✘❌", "x"],
  ["✓✔✅", "+"],
  ["≤", "<="],
  ["≥", ">="],
  ["≈", "~"],
  ["≠", "!="],
  ["ß", "ss"],
  ["æ", "ae"],
  ["Æ", "AE"],
  ["ø", "o"],
  ["Ø", "O"],
  ["€", "EUR"],
];

const TABLE = new Map(
  GROUPS.flatMap(([characters, ascii]) => Array.from(characters, (from) => [from, ascii])),
);

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, with what controls a terminal
const OTHERS = /[^\x00-\x7f]/gu;

/**
 * Returns a text in ASCII, for a terminal that shows nothing else: marks become similar ones, letters lose their accents,
 * and every other character becomes as many `?` as it is wide.
 */
export function toAscii(text: string): string {
  return text.replace(OTHERS, (character) => TABLE.get(character) ?? withoutAccent(character));
}

function withoutAccent(character: string): string {
  const base = character.normalize("NFKD").replace(OTHERS, "");
  return base === "" ? "?".repeat(Bun.stringWidth(character)) : base;
}

/** Whether the locale of an environment has UTF-8. Windows has no such variables, and shows Unicode. */
export function isUtf8(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => (value ?? "") !== "");
  return locale === undefined ? env.OS === "Windows_NT" : /utf-?8/i.test(locale);
}
