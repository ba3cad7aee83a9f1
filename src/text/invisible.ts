const ESCAPE_SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\|\x1b[@-Z\\-_]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/**
 * Returns a text without terminal escapes, control characters and invisible characters; tabs and newlines stay. Line and
 * paragraph separators become newlines, so that no text leaves the quoted line that it is in.
 */
export function printable(text: string): string {
  return dropInvisible(
    text
      .replace(ESCAPE_SEQUENCES, "")
      .replace(/\r\n?|[\u2028\u2029]/g, "\n")
      .replace(CONTROLS, ""),
  );
}

/**
 * Joiners, direction marks, variation selectors, tag characters, fillers (Unicode `Default_Ignorable_Code_Point`), annotation
 * marks, format controls for hieroglyphs and Arabic amounts, and private-use and unassigned characters, except those reserved for
 * emoji.
 */
export const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u0890\u0891\u{13430}-\u{1343f}\p{Co}]|(?!\p{Extended_Pictographic})\p{Cn}/u;
const INVISIBLE_RUN = new RegExp(`(?:${INVISIBLE.source})+`, "gu");
const EMOJI_BEFORE = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u20e3|[#*0-9])$/u;
const EMOJI_AFTER = /^\p{Extended_Pictographic}/u;
/** Scripts whose letters change shape next to a joiner or non-joiner. */
const JOINING =
  "\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gujarati}\\p{Script=Gurmukhi}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Oriya}\\p{Script=Sinhala}\\p{Script=Tamil}\\p{Script=Telugu}";
const JOINING_BEFORE = new RegExp(`[${JOINING}]$`, "u");
const JOINING_AFTER = new RegExp(`^[${JOINING}]`, "u");

/**
 * Removes characters that people cannot see but a model reads. Keeps those with a visible effect: inside an emoji, and a single
 * joiner between two letters of a script that needs it.
 */
function dropInvisible(text: string): string {
  if (!INVISIBLE.test(text)) return text;
  return text.replace(INVISIBLE_RUN, (run, index: number) => {
    const before = text.slice(Math.max(0, index - 2), index);
    const after = text.slice(index + run.length, index + run.length + 2);
    return isVisible(run, before, after) ? run : "";
  });
}

function isVisible(run: string, before: string, after: string): boolean {
  if (run === "\ufe0f") return EMOJI_BEFORE.test(before);
  if (run === "\u200d" || run === "\ufe0f\u200d") {
    if (EMOJI_BEFORE.test(before) && EMOJI_AFTER.test(after)) return true;
  }
  return (run === "\u200c" || run === "\u200d") && JOINING_BEFORE.test(before) && JOINING_AFTER.test(after);
}

/** Letters, digits and marks of right-to-left scripts: Hebrew, Arabic, Syriac, Thaana, N'Ko and others. */
const RIGHT_TO_LEFT =
  "\\u0590-\\u05ff\\u0600-\\u06ff\\u0700-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
const HAS_ANY = new RegExp(`[${RIGHT_TO_LEFT}]`, "u");
/** A run from the first such letter to the last, across single spaces and other characters. Two spaces separate columns. */
const RUN = new RegExp(
  `[${RIGHT_TO_LEFT}](?:(?:[^\\s\\x1b]| (?![\\s\\x1b]))*[${RIGHT_TO_LEFT}\\p{M}])?(?:[.!?…؟،؛]+(?![^\\s\x1b]))?`,
  "gu",
);
/** First strong isolate and pop directional isolate, both of width zero. */
const [OPEN, CLOSE] = ["\u2068", "\u2069"];

/**
 * Wraps right-to-left runs in isolates, so that a terminal does not reorder the columns, numbers and punctuation beside them.
 * Returns a text without such letters unchanged.
 */
export function bidiIsolated(text: string): string {
  return HAS_ANY.test(text) ? text.replace(RUN, `${OPEN}$&${CLOSE}`) : text;
}

/** Groups of similar characters with their ASCII replacement. */
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
 * Returns a text in ASCII, for a terminal that shows nothing else. Replaces signs by similar ones, drops the accents of letters,
 * and replaces every other character by as many `?` as it is wide.
 */
export function toAscii(text: string): string {
  return text.replace(OTHERS, (character) => TABLE.get(character) ?? withoutAccent(character));
}

function withoutAccent(character: string): string {
  const base = character.normalize("NFKD").replace(OTHERS, "");
  return base === "" ? "?".repeat(Bun.stringWidth(character)) : base;
}

/** Tells whether the locale of an environment uses UTF-8. Windows has no such variables and always shows Unicode. */
export function hasUtf8Locale(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => (value ?? "") !== "");
  return locale === undefined ? env.OS === "Windows_NT" : /utf-?8/i.test(locale);
}
