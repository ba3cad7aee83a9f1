const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  k: 1e3,
  kb: 1e3,
  kib: 2 ** 10,
  m: 1e6,
  mb: 1e6,
  mib: 2 ** 20,
  g: 1e9,
  gb: 1e9,
  gib: 2 ** 30,
};

/** Parses a typed size, `500MB`, `1.5 GB` or `2GiB`, to bytes; null for anything else. */
export function parseBytes(text: string): number | null {
  const [, digits = "", unit = ""] =
    /^(\d{1,12}(?:\.\d{1,6})?) ?([a-z]*)$/.exec(text.trim().toLowerCase()) ?? [];
  const factor = UNITS[unit];
  return digits === "" || factor === undefined ? null : Math.round(Number(digits) * factor);
}

/** Formats a whole number in English, `1,234,567`. `Number.toLocaleString` gives the same, but takes 8 ms to load. */
export function groupedDigits(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** Renders a count with its noun, `1 turn` or `2 turns`. */
export function plural(count: number, noun: string): string {
  return `${groupedDigits(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Renders a number of chunks as "pieces", a word that needs no explanation. */
export function countPieces(chunks: number): string {
  return `${plural(chunks, "piece")} of text`;
}

/** Describes the contents of a memory or a part of it, such as "158 turns of 24 sessions, 4 notes". */
export function contentsText({
  turns,
  sessions,
  notes,
}: Readonly<Record<"turns" | "sessions" | "notes", number>>): string {
  const noted = notes > 0 && plural(notes, "note");
  const said = (turns > 0 || !noted) && `${plural(turns, "turn")} of ${plural(sessions, "session")}`;
  return [said, noted].filter(Boolean).join(", ");
}
