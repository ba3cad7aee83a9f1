import type { ScorePart } from "../search/fusion.ts";
import type { Column } from "./list.ts";

/** A candidate's score, and what each part adds to it. */
export interface PartedScore {
  score: number;
  score_parts: Readonly<Record<ScorePart, number>>;
}

/** The parts that have a column wherever a candidate has them, and what they are called in a sentence. */
const NAMED = [
  ["meaning", "nearness in meaning"],
  ["words", "words in common"],
  ["names", "names in common, such as files, numbers and functions"],
] as const;

const OTHER =
  "other things: the longer a turn, the more it loses, since long ones have a little of everything; a new one gains up to 0.02, and a note by an agent loses a fifth";

/** The columns of the parts of a score, the cells of a row, and a sentence on what the parts are. */
export interface ScoreColumns {
  columns: Column[];
  cellsOf(candidate: PartedScore): string[];
  sentence: string;
}

/** Lays out scores so that each row adds up: SCORE, the parts that any candidate has, and OTHER. */
export function scoreColumns(candidates: readonly PartedScore[]): ScoreColumns {
  const present = NAMED.filter(([part]) => candidates.some(({ score_parts }) => score_parts[part] !== 0));
  const titles = ["SCORE", ...present.map(([part]) => part.toUpperCase()), "OTHER"];
  return {
    columns: titles.map((title) => ({ title, align: "right", ...(title !== "SCORE" && { mayGo: true }) })),
    cellsOf({ score, score_parts }) {
      const all = hundredths(score);
      const parts = present.map(([part]) => hundredths(score_parts[part]));
      // What rounding leaves goes into the last part.
      const rest = parts.reduce((left, part) => left - part, all);
      return [all, ...parts, rest].map((value) => (value / 100).toFixed(2));
    },
    sentence: `The score is the sum of ${[...present.map(([, words]) => words), ""].join(", ")}and ${OTHER}.`,
  };
}

/** Rounds to hundredths; never to -0, which would be printed with its sign. */
function hundredths(value: number): number {
  return Math.round(value * 100) + 0;
}
