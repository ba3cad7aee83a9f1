/**
 * Compares two times in ISO 8601 and UTC for sorting; an unknown one comes first. Unlike `localeCompare`, it loads no
 * collation tables, which take a hook most of a millisecond.
 */
export function compareTimes(a: string | null | undefined, b: string | null | undefined): number {
  const [first, second] = [a ?? "", b ?? ""];
  return first === second ? 0 : first < second ? -1 : 1;
}
