/**
 * Returns the subject under which this project's journal records a told turn of a related project. Contains only the start of the
 * memory's id, because the whole id looks like a secret and would not be stored.
 */
export function relatedSubject(memoryId: string, turnId: number): string {
  return `related:${memoryId.slice(0, 8)}:${turnId}`;
}

/** Returns the told turns of a related memory, from such subjects. */
export function toldTurns(subjects: ReadonlySet<string>, memoryId: string): Set<number> {
  const start = relatedSubject(memoryId, 0).slice(0, -1);
  const told = [...subjects].filter((subject) => subject.startsWith(start));
  return new Set(told.map((subject) => Number(subject.slice(start.length))));
}
