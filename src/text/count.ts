/** Writes a whole number as English does, `1,234,567`. `Number.toLocaleString` gives the same, but takes 8 ms to load. */
export function groupedDigits(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
