/** Counts the edits between two words: insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const mistaken = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      rows[i]?.push(Math.min(mistaken, swapped, at(i - 1, j) + 1, at(i, j - 1) + 1));
    }
  }
  return at(a.length, b.length);
}

/** Returns the most likely candidate for a mistyped word; null when none is similar enough. */
export function closestWord(word: string, candidates: readonly string[]): string | null {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate) }))
    // At equal distance the longer candidate comes first: typos omit letters more often than they add them.
    .sort((a, b) => a.distance - b.distance || b.candidate.length - a.candidate.length);
  const [best] = ranked;
  const prefix = candidates.find((candidate) => word.length >= 3 && candidate.startsWith(word.toLowerCase()));
  if (best && best.distance <= Math.max(1, Math.floor(word.length / 3))) return best.candidate;
  return prefix ?? null;
}

/** Longer names are compared only by their parts. */
const MAX_COMPARED = 40;

/**
 * Returns the candidates similar to a typed name, best first: those that contain it, or those similar as a whole or in their last
 * part.
 */
export function similarNames(typed: string, candidates: readonly string[]): string[] {
  const wanted = typed.toLowerCase().replace(/^[./]+|\/+$/g, "");
  const lastOf = (name: string) => name.slice(name.lastIndexOf("/") + 1);
  const worth = (candidate: string): number => {
    const name = candidate.toLowerCase();
    if (wanted !== "" && name.includes(wanted)) return 0;
    const pairs = [
      [wanted, name],
      [lastOf(wanted), lastOf(name)],
    ] as const;
    const distances = pairs.map(([a, b]) =>
      a.length > MAX_COMPARED || b.length > MAX_COMPARED
        ? 1
        : editDistance(a, b) / Math.max(1, a.length, b.length),
    );
    return Math.min(...distances);
  };
  return candidates
    .map((candidate) => ({ candidate, distance: worth(candidate) }))
    .filter(({ distance }) => distance <= 0.4)
    .sort((a, b) => a.distance - b.distance)
    .map(({ candidate }) => candidate);
}

/** Longer values are cut, since a message is one line. */
const MAX_CHARS = 60;

/**
 * Says which values are allowed and which one was given: `must be true or false, not "1"`. `message` comes from a schema. Several
 * command-line words count as one text. The caller makes the result safe for a terminal.
 */
export function explainMistake({ message }: { message: string }, given: unknown): string {
  const value =
    Array.isArray(given) && given.every((word) => typeof word === "string") ? given.join(" ") : given;
  const isEmpty = value === undefined || (typeof value === "string" && value.trim() === "");
  return isEmpty ? message : `${message}, not ${shown(value)}`;
}

/** Renders a value as JSON on one line: `"abc"`, `3`, `[1,2]`. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 3).toWellFormed()}...` : text;
}
