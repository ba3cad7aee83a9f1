import { createHash } from "node:crypto";

/** A turn that an answer names. */
export interface ToldTurn {
  turnId: number;
  /** What is quoted below it. */
  statement: string;
}

const HEAD = /^\d+\. /;
const NAMED = [
  /^(?:.*; )?more: .*\b(?:--)?show (\d+)(?:-\d+)?$/,
  /^\d+\. .*, turns? (\d+)(?:-\d+)?, .*every prompt and answer:$/,
];
const BEFORE = /^Before that, /;
const QUOTED = /^> ?/;

/**
 * Returns the turns that an answer of the prompt hook names, in its order: each has a block from a line `1. …` to `more: … show N`,
 * or is told whole, with its number in the first line.
 */
export function toldTurns(answer: string): ToldTurn[] {
  const told: { turnId: number; quoted: string[] }[] = [];
  let quoted: string[] = [];
  for (const line of answer.split("\n")) {
    if (QUOTED.test(line)) {
      quoted.push(line.replace(QUOTED, ""));
      continue;
    }
    // What was before a newer state is quoted below its own line.
    if (HEAD.test(line) || BEFORE.test(line)) quoted = [];
    const turn = NAMED.map((named) => named.exec(line)?.[1]).find((id) => id !== undefined);
    if (turn !== undefined) told.push({ turnId: Number(turn), quoted });
  }
  return told.map(({ turnId, quoted }) => ({ turnId, statement: quoted.join("\n") }));
}

const LINE = /^- \d{4}-\d\d-\d\d, (.+) \(turn (\d+)\)$/;

/** Returns the turns that a text of the file hook names: a line each, which counts without its date and turn numbers. */
export function fileTurns(text: string): ToldTurn[] {
  return text.split("\n").flatMap((line) => {
    const [, said, turn] = LINE.exec(line) ?? [];
    if (said === undefined) return [];
    return [{ turnId: Number(turn), statement: said }];
  });
}

/** Names a statement whichever version quotes it: the first 12 hex digits of SHA-256, with white space folded. */
export function statementHash(statement: string): string {
  const folded = statement.replace(/\s+/g, " ").trim();
  return createHash("sha256").update(folded).digest("hex").slice(0, 12);
}
