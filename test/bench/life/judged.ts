import type { Call } from "./call.ts";
import { type AnswerLabel, keyOf, type Labels, type PromptLabel } from "./labels.ts";

/** A labelled prompt, what was told for it, and what readers said of that; null is what nobody has judged. */
export interface JudgedCall {
  call: Call;
  label: PromptLabel;
  /** Some earlier turn is worth telling, whether this call told it or not. */
  hasWorth: boolean;
  /** For each told turn, how far it is worth recalling. */
  turns: (number | null)[];
  /** For each told statement, how far it helps. */
  statements: (number | null)[];
  /** Whether the answer as a whole helps. Null also where there is no answer. */
  net: number | null;
}

/** From this grade on a turn is worth recalling, and a statement helps. */
const WORTH = 2;

export function isWorth(grade: number | null): boolean {
  return grade !== null && grade >= WORTH;
}

/**
 * Returns whether the answers of a hook that is asked no prompt help as a whole: 1, 0, -1, or null where nobody has judged
 * it. Silence is left out.
 */
export function netsOf(calls: readonly Call[], { answers }: Labels): (number | null)[] {
  const answersOf = Map.groupBy(answers, keyOf);
  return calls.flatMap((call) => (call.chars > 0 ? [netOf(call, answersOf.get(keyOf(call)) ?? [])] : []));
}

/** Puts calls and labels together. Calls without a label are left out. */
export function judge(calls: readonly Call[], { prompts, answers }: Labels): JudgedCall[] {
  const labelOf = mergedByPrompt(prompts);
  const answersOf = Map.groupBy(answers, keyOf);
  return calls.flatMap((call) => {
    const label = call.kind === "prompt" ? labelOf.get(keyOf(call)) : undefined;
    return label === undefined ? [] : [judgeOne(call, label, answersOf.get(keyOf(call)) ?? [])];
  });
}

/** Several readers may have judged a prompt: the last of them counts, and the candidates of all. */
export function mergedByPrompt(labels: readonly PromptLabel[]): Map<string, PromptLabel> {
  const merged = new Map<string, PromptLabel>();
  for (const label of labels) {
    const before = merged.get(keyOf(label))?.candidates ?? [];
    merged.set(keyOf(label), { ...label, candidates: [...label.candidates, ...before] });
  }
  return merged;
}

function judgeOne(call: Call, label: PromptLabel, answers: readonly AnswerLabel[]): JudgedCall {
  const items = answers.flatMap((answer) => answer.items);
  const turnOf = ({ session, line }: Call["turns"][number]) => {
    const isSame = (other: { session: string; line: number }) =>
      other.session === session && other.line === line;
    const item = items.findLast((each) => each.turn !== null && isSame(each));
    return label.candidates.find(isSame)?.turn ?? item?.turn ?? null;
  };
  const hashes = hashesOf(call);
  const passageOf = (hash: string) =>
    items.findLast((item) => item.hash === hash && item.passage !== null)?.passage ?? null;
  return {
    call,
    label,
    hasWorth: [...label.candidates, ...items].some(({ turn }) => isWorth(turn)),
    turns: call.turns.map(turnOf),
    statements: hashes.map(passageOf),
    net: call.chars > 0 ? netOf(call, answers) : null,
  };
}

/** An answer was judged if one that told the same statements was, whichever version gave it. */
function netOf(call: Call, answers: readonly AnswerLabel[]): number | null {
  const told = new Set(hashesOf(call));
  const isSame = ({ items }: AnswerLabel) =>
    told.symmetricDifference(new Set(items.map(({ hash }) => hash))).size === 0;
  return answers.findLast((answer) => answer.net !== null && isSame(answer))?.net ?? null;
}

function hashesOf({ turns }: Call): string[] {
  return turns.flatMap(({ hash }) => (hash === null ? [] : [hash]));
}
