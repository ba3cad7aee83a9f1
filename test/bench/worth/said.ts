/** UTF-16 offsets in a turn's text, in which the project's directory counts as one character. */
export type Range = [start: number, end: number];

/** This share of a sentence must lie in a range. */
const ENOUGH = 0.75;

/** Returns an offset that does not depend on where the project lies. */
export function portableOffset(text: string, offset: number, project: string): number {
  return offset - (text.slice(0, offset).split(project).length - 1) * (project.length - 1);
}

/** Whether a reader would have told this sentence. */
export function isSaid(sentence: Range, ranges: readonly Readonly<Range>[]): boolean {
  const [start, end] = sentence;
  const held = ranges.reduce(
    (sum, [from, to]) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)),
    0,
  );
  return held >= ENOUGH * (end - start);
}

/** Which half a session belongs to, or a text that belongs to none. */
export function halfOf(name: string): "fit" | "test" {
  const [first = 0] = new Bun.CryptoHasher("sha256").update(name).digest();
  return first % 2 === 0 ? "fit" : "test";
}
