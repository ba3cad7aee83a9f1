/** Where an entry stands in its file: a line as a rule holds one object, and several when they were glued together. */
export interface Position {
  line: number;
  object: number;
}

export const START: Position = { line: 0, object: 0 };

export function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.object < b.object);
}
