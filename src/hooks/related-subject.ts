/**
 * Returns what this project's journal records of a related project's turn that was told. Of the memory's id it has only
 * the start: the whole one looks like a secret, which is not stored.
 */
export function relatedSubject(memoryId: string, turnId: number): string {
  return `related:${memoryId.slice(0, 8)}:${turnId}`;
}

/** Returns the turns of a related memory that were told, from such records. */
export function toldTurns(subjects: ReadonlySet<string>, memoryId: string): Set<number> {
  const start = relatedSubject(memoryId, 0).slice(0, -1);
  const told = [...subjects].filter((subject) => subject.startsWith(start));
  return new Set(told.map((subject) => Number(subject.slice(start.length))));
}
