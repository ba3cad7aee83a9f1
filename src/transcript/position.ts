/** The position of an entry in its file. A line usually holds one object, and several when a line break is missing. */
export interface Position {
  line: number;
  object: number;
}

export const START: Position = { line: 0, object: 0 };

export function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.object < b.object);
}
