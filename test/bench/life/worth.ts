import { isWorth, type JudgedCall } from "./judged.ts";

/** How many of how many. */
export interface Count {
  hits: number;
  of: number;
}

/** What is told against what readers said of it. */
export interface Worth {
  /** Prompts without need that are answered. */
  noNeed: Count;
  /** Prompts with need and a turn worth telling that are told one. */
  told: Count;
  /** Told turns that are worth recalling, of the judged ones. */
  turns: Count;
  /** Told statements that help, of the judged ones. */
  statements: Count;
  /** Prompts with need, but without a turn worth telling, that are answered. */
  nothingToTell: Count;
  /** Answers that help as a whole, of the judged ones. */
  helps: Count;
  /** Answers that mislead, of the judged ones. */
  misleads: Count;
  /** What nobody has judged; `prompts` are left out of `told` and `nothingToTell`. */
  unjudged: { turns: number; statements: number; answers: number; prompts: number };
}

export function worthOf(calls: readonly JudgedCall[]): Worth {
  const allWithNeed = calls.filter(({ label }) => label.need > 0);
  const withNeed = allWithNeed.filter((call) => !isOpen(call));
  const turns = calls.flatMap((call) => call.turns);
  const statements = calls.flatMap((call) => call.statements);
  const nets = calls.filter(isAnswered).map(({ net }) => net);
  const net = netCounts(nets);
  return {
    noNeed: countOf(
      calls.filter(({ label }) => label.need === 0),
      isAnswered,
    ),
    told: countOf(
      withNeed.filter(({ hasWorth }) => hasWorth),
      ({ turns }) => turns.some(isWorth),
    ),
    turns: countOf(judgedOnes(turns), isWorth),
    statements: countOf(judgedOnes(statements), isWorth),
    nothingToTell: countOf(
      withNeed.filter(({ hasWorth }) => !hasWorth),
      isAnswered,
    ),
    helps: net.helps,
    misleads: net.misleads,
    unjudged: {
      turns: missing(turns),
      statements: missing(statements),
      answers: net.unjudged,
      prompts: allWithNeed.length - withNeed.length,
    },
  };
}

/** How many answers help as a whole and mislead, of the judged ones, and how many nobody has judged. */
export function netCounts(nets: readonly (number | null)[]): {
  helps: Count;
  misleads: Count;
  unjudged: number;
} {
  const judged = judgedOnes(nets);
  return {
    helps: countOf(judged, (net) => net > 0),
    misleads: countOf(judged, (net) => net < 0),
    unjudged: missing(nets),
  };
}

export function countOf<T>(all: readonly T[], test: (one: T) => boolean): Count {
  return { hits: all.filter(test).length, of: all.length };
}

/** Whether a turn that nobody has judged may decide if a turn worth telling was told: then it is neither told nor missed. */
function isOpen({ turns }: JudgedCall): boolean {
  return !turns.some(isWorth) && turns.includes(null);
}

function isAnswered({ call }: JudgedCall): boolean {
  return call.chars > 0;
}

function judgedOnes(grades: readonly (number | null)[]): number[] {
  return grades.filter((grade) => grade !== null);
}

function missing(grades: readonly (number | null)[]): number {
  return grades.length - judgedOnes(grades).length;
}
