import { createHash } from "node:crypto";

/** A turn that an answer of the prompt hook names. */
export interface ToldTurn {
  turnId: number;
  /** What is quoted of it; null where the answer only mentions the turn in a line of another one. */
  statement: string | null;
}

const HEAD = /^## /;
const FOOT = /^Whole turn: .*\b(?:--)?show (\d+)$/;
const QUOTED = /^> ?/;
const MENTIONED = /^(?:Replaces|Later on)\b.*?\(turn (\d+)\b/;

/** Returns the turns that an answer names, in its order: each has a block from a line `## …` to `Whole turn: … show N`. */
export function toldTurns(answer: string): ToldTurn[] {
  const told: ToldTurn[] = [];
  let quoted: string[] = [];
  let mentioned: number[] = [];
  for (const line of answer.split("\n")) {
    if (HEAD.test(line)) {
      quoted = [];
      mentioned = [];
    }
    if (QUOTED.test(line)) quoted.push(line.replace(QUOTED, ""));
    const other = MENTIONED.exec(line)?.[1];
    if (other !== undefined) mentioned.push(Number(other));
    const turn = FOOT.exec(line)?.[1];
    if (turn === undefined) continue;
    told.push({ turnId: Number(turn), statement: quoted.join("\n") });
    told.push(...mentioned.map((turnId) => ({ turnId, statement: null })));
  }
  return told.filter(({ turnId }, i) => told.findIndex((other) => other.turnId === turnId) === i);
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
