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

/** Reads a size as people type it, `500MB`, `1.5 GB`, `2GiB`, in bytes; null for anything else. */
export function parseBytes(text: string): number | null {
  const [, digits = "", unit = ""] =
    /^(\d{1,12}(?:\.\d{1,6})?) ?([a-z]*)$/.exec(text.trim().toLowerCase()) ?? [];
  const factor = UNITS[unit];
  return digits === "" || factor === undefined ? null : Math.round(Number(digits) * factor);
}

/** Writes a whole number as English does, `1,234,567`. `Number.toLocaleString` gives the same, but takes 8 ms to load. */
export function groupedDigits(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
