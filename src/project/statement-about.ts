import { saidIn, textOf } from "../turn/parts.ts";
import type { TurnText } from "../turn/text.ts";
import { withoutMark } from "./statements.ts";

/** A statement of a turn about a file. */
export interface Statement {
  text: string;
  /** True when its words mark a decision. */
  isDecision: boolean;
}

/** Words that mark a decision, and those that give a reason. */
const CUE =
  /\b(?:(decid(?:ed|ing)|(?<!(?:not|n't|to) )decide|decision|chose|choose|chosen|agreed|go(?:ing)? with|went with|settled on|instead of|rather than|on purpose|must (?:not|never|always|stay))|because|since|so that|to avoid|to keep|otherwise|due to|would (?:have|be|break|need)|the reason)\b/gi;
/** The start of a sentence that gives the reason for the one before it. */
const REASON_FIRST = /^(?:otherwise|because|that way|the reason)\b/i;
/**
 * Guesses, questions, lines of tables, headings, lines that only lead to others, and words by which an agent announces
 * its next step.
 */
const NO_STATEMENT =
  /[?:|]$|^(?:\||#|perhaps|maybe|(?:(?:now|ok(?:ay)?|good|great|next|first|then)\b[,.: ]*)?(?:let me|let's (?:see|look|check)|i'll|i will|i need to|i should)\b|now (?!the\b|a\b|it\b|we\b|all\b|that\b|this\b))|\b(?:might|could) (?:be|have|also)\b/i;
/** Reports of checks, which say nothing about the work itself. */
const CHECKED =
  /\b(?:tests?|lint\w*|build|typecheck|commit\w*)\b.{0,40}\b(?:pass\w*|clean|green|succeed\w*|success\w*|done|pushed)\b/i;
/** The name of a file in a sentence. */
const FILE_NAME =
  /\b[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|c|h|cc|cpp|cs|php|sh|sql|css|html|vue|md|ya?ml|json|toml)\b/i;
/** A question with the user's answer, as a turn keeps it. */
const ANSWERED = /^Question: (.+)\nAnswer: (.+)(?:\nNotes: (.+))?/gm;
const SENTENCE_ENDS = ["\n", ". ", "! ", "? ", "。"];

/** How much of a turn is looked at: the start of the prompt, the start and the end of what was said. UTF-16 units. */
const CHARS = { prompt: 1_000, saidFirst: 1_000, saidLast: 2_400 } as const;
/** Number of places in a text whose sentences are compared, the last ones. */
const MAX_PLACES = 12;
/** Shorter sentences say too little, longer ones are mostly code. UTF-16 units. */
const LENGTH = { min: 24, max: 420 } as const;
/** A reason in the sentence after a statement belongs to it, if both together are no longer than this. */
const WITH_REASON_CHARS = 300;
/** From this score on, a statement counts as a decision. */
const DECIDED = 3;

interface Scored {
  text: string;
  score: number;
}

/** Returns the statement of a turn that says most about a decision on a file; null when nothing was stated. */
export function statementAbout(turn: TurnText, path: string): Statement | null {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const stem = name.slice(0, Math.max(1, name.indexOf(".", 1)) || undefined);
  // "a.ts" is in other names, and its stem in most words.
  const names = stem.length > 3 ? [name, stem] : [name];
  const prompt = (textOf(turn, "prompt") ?? "").slice(0, CHARS.prompt);
  // A request says what to do; only one that decides or gives a reason is kept.
  const requested = statementsIn(prompt.replace(ANSWERED, ""), names).filter(({ score }) => score >= DECIDED);
  const statements = [
    ...answersIn(prompt, names),
    ...requested,
    ...statementsIn(ends(saidIn(turn) ?? ""), names),
  ];
  const best = statements.reduce<Scored | null>(
    (best, next) => (best === null || next.score >= best.score ? next : best),
    null,
  );
  return best && { text: best.text.replaceAll("**", ""), isDecision: best.score >= DECIDED };
}

function answersIn(prompt: string, names: readonly string[]): Scored[] {
  if (!prompt.includes("Question: ")) return [];
  return [...prompt.matchAll(ANSWERED)].map(([, question = "", answer = "", notes]) => {
    const text = `${question} ${answer}${notes === undefined ? "" : ` (${notes})`}`;
    return { text, score: DECIDED + aboutFile(text, names) };
  });
}

/** Returns the sentences of a text with a cue or the file's name; where there are none, its last sentence. */
function statementsIn(text: string, names: readonly string[]): Scored[] {
  const cues = [...text.matchAll(CUE)];
  const named = text.toLowerCase().lastIndexOf(names.at(-1) ?? "");
  const places = [...cues.map(({ index }) => index), ...(named < 0 ? [] : [named])].slice(-MAX_PLACES);
  const found = new Map<number, Scored>();
  for (const at of places) {
    const around = sentenceAround(text, at);
    const isReason = around.start > 1 && REASON_FIRST.test(text.slice(around.start, around.end));
    const { start, end } = isReason ? sentenceAround(text, around.start - 2) : around;
    const scored = found.has(start) ? null : score(text, start, end, { cues, names });
    if (scored) found.set(start, scored);
  }
  return found.size > 0 ? [...found.values()] : lastSentence(text, names);
}

function lastSentence(text: string, names: readonly string[]): Scored[] {
  for (let at = text.trimEnd().length - 1, tries = 0; at > 0 && tries < MAX_PLACES; tries++) {
    const { start, end } = sentenceAround(text, at);
    const scored = score(text, start, end, { cues: [], names });
    if (scored && !CHECKED.test(scored.text)) return [scored];
    at = start - 1;
  }
  return [];
}

/** Returns a sentence, with the next one if that gives its reason, and how much it says about a decision on the file. */
function score(
  text: string,
  start: number,
  end: number,
  { cues, names }: { cues: readonly RegExpExecArray[]; names: readonly string[] },
): Scored | null {
  const sentence = withoutMark(text.slice(start, end));
  if (sentence.length < LENGTH.min || sentence.length > LENGTH.max || NO_STATEMENT.test(sentence))
    return null;
  const within = (from: number, to: number) => cues.filter(({ index }) => index >= from && index < to);
  const own = within(start, end);
  const hasReason = own.some(([, choice]) => choice === undefined);
  const worth =
    (own.some(([, choice]) => choice !== undefined) ? DECIDED : 0) +
    (hasReason ? 1.5 : 0) +
    aboutFile(sentence, names);
  const next = sentenceAround(text, Math.min(end + 1, text.length));
  const both = text.slice(start, next.end);
  const isReason = !hasReason && within(next.start, next.end).some(([, choice]) => choice === undefined);
  return isReason && next.start >= end && both.length <= WITH_REASON_CHARS
    ? { text: withoutMark(both), score: worth + 1 }
    : { text: sentence, score: worth };
}

/** More for a sentence that names the file, less for one about another file. */
function aboutFile(sentence: string, names: readonly string[]): number {
  const lower = sentence.toLowerCase();
  if (names.some((name) => lower.includes(name))) return 1.5;
  return FILE_NAME.test(sentence) ? -2 : 0;
}

/** Returns the offsets of the sentence or line at a place. */
function sentenceAround(text: string, at: number): { start: number; end: number } {
  let [start, end] = [0, text.length];
  for (const mark of SENTENCE_ENDS) {
    const before = at === 0 ? -1 : text.lastIndexOf(mark, at - 1);
    if (before >= 0) start = Math.max(start, before + mark.length);
    const after = text.indexOf(mark, at);
    if (after >= 0) end = Math.min(end, after + mark.length);
  }
  return { start: Math.min(start, at), end };
}

/** Returns the start and the end of a long text, cut at lines. */
function ends(text: string): string {
  const { saidFirst, saidLast } = CHARS;
  if (text.length <= saidFirst + saidLast) return text;
  const first = text.slice(0, text.lastIndexOf("\n", saidFirst) + 1 || saidFirst);
  return `${first}\n${text.slice(text.indexOf("\n", text.length - saidLast) + 1)}`;
}
