import { folded } from "../../text/fold.ts";
import { keywordTerms } from "../../text/keywords.ts";
import { CUES } from "../../turn/cues.ts";
import { textOf } from "../../turn/parts.ts";
import type { Sentence } from "../../turn/sentences.ts";
import type { TurnText } from "../../turn/text.ts";
import { type ScoredSentence, scoredSentences } from "./choose.ts";
import { sizeOf } from "./features.ts";

/** What is asked of a turn: the file, and the words of the running matter. */
export interface FileMatter {
  /** As turns store it. */
  path: string;
  /** Forms of the words that the running turn is about, in lower case without endings, with their weight in nats. */
  words: ReadonlyMap<string, number>;
}

/** A sentence of a turn that gives a reason, a rule or a finding about a file. */
export interface FileStatement {
  text: string;
  kind: Sentence["kind"];
  /** How much it says, and how much of it is on the running matter. */
  score: number;
  /** Of its words, the weight of those of the running matter, in nats. */
  matter: number;
}

const CHARS = { min: 60, max: 330, joined: 300 } as const;
const OTHER_FILE =
  /(?<![\w-]|[\w-]\.)[\w-]+(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|c|h|cc|cpp|cs|php|sh|sql|css|html|vue|mdx?|ya?ml|json|toml|omp)\b/i;
/** What makes a sentence worth telling before an edit, and what keeps it from being so. Set by hand. */
const WORTH = { reason: 1, finding: 1.2, decision: 0.9, firm: 0.9, rule: 0.4 } as const;
const MIN_WORTH = 0.7;
/** A list of what was changed says less than why. */
const CHANGE_FIRST = -1.2;
const CHANGE_FIRST_WORD =
  /^\W{0,40}(?:[^—–]{1,90} [—–-] |[^:.]{1,40}: )?(?:fixed|added|adds|changed|changes|updated|updates|removed|removes|moved|renamed|refactored|created|implemented|extracted|renders|swapped|split|replaced|now(?! when))\b/i;
/** The start of a whole sentence. */
const START = /^[\p{Lu}\p{N}`"'*_~([\p{Lo}]/u;
/** A longer prompt is a pasted plan, whose sentences are no words of the user's own. */
const OWN_PROMPT_CHARS = 1_500;
/** Names a thing, and decides nothing. */
const DECISION_NOUN = /\bdecisions?\b/gi;
const NOW = /^now\b(?!,? (?:when|that|the|it)\b)/i;
/** What was left out says nothing about a file. */
const LEFT_OUT = /\bout of scope\b|\bnot (?:part of|in) (?:this|the) (?:change|plan|scope)\b/i;
const NOT = ["narration", "question", "guess", "checked", "restated", "lead"] as const;
/** Added to the score of the fitted model, in logits. Set by hand. */
const NAMED = 0.8;
const WORTH_WEIGHT = 0.4;
const OWN_WORDS = 0.3;
const MIN_WORDS = { named: 2, unnamed: 3 } as const;
/** Less on the running matter is nothing to tell; of a sentence that does not name the file more is asked. */
const MATTER_NATS = { named: 2.5, unnamed: 5 } as const;
/** So much of a sentence is on the running matter that it is about it; fewer words in common are chance. */
const MATTER_SHARE = 1 / 3;
const MAX_TERMS = 60;

/** Returns what a turn says about a file, the best first. */
export function statementsAboutFile(turn: TurnText, matter: FileMatter): FileStatement[] {
  const names = namesOf(matter.path);
  const sought = {
    words: [...matter.words].map(([form, weight]) => ({ form, weight })),
    total: [...matter.words.values()].reduce((sum, weight) => sum + weight, 0),
  };
  const told = toldKinds(turn);
  const sentences = scoredSentences(turn, sought).filter(({ kind }) => told.has(kind));
  return sentences
    .flatMap((sentence, at) => {
      const found = statement(sentence, sentences[at - 1], names, matter);
      return found === null ? [] : [found];
    })
    .sort((a, b) => b.score - a.score);
}

/** What was said between tool calls counts only where nothing was said after them. */
function toldKinds(turn: TurnText): ReadonlySet<Sentence["kind"]> {
  const kinds = new Set<Sentence["kind"]>(["note", "answer"]);
  if ((textOf(turn, "prompt")?.length ?? 0) <= OWN_PROMPT_CHARS) kinds.add("prompt");
  if (textOf(turn, "answer") === null) kinds.add("narration");
  return kinds;
}

function statement(
  sentence: ScoredSentence,
  before: Sentence | undefined,
  names: readonly string[],
  { path, words }: FileMatter,
): FileStatement | null {
  const text = withLead(sentence, before);
  if (text === null || !isTellable(sentence, text)) return null;
  const worth = worthOf(sentence.text);
  const lower = folded(text);
  const isNamed = names.some((name) => hasName(lower, name));
  if (worth < MIN_WORTH || (!isNamed && isElsewhere(text))) return null;
  const matched = distinct([...words].filter(([form]) => hasStart(lower, form)));
  const matter = matched.reduce((sum, [, weight]) => sum + weight, 0);
  const place = isNamed ? "named" : "unnamed";
  if (matched.length < MIN_WORDS[place] || matter < MATTER_NATS[place]) return null;
  if (shareOf(lower, matched, path) < MATTER_SHARE) return null;
  const own = sentence.kind === "prompt" ? OWN_WORDS : 0;
  return {
    text: text.replaceAll("**", ""),
    kind: sentence.kind,
    score: sentence.score + WORTH_WEIGHT * worth + (isNamed ? NAMED : 0) + own,
    matter,
  };
}

/** Share of a sentence's words that are of the running matter. The words of the path are of every matter, and do not count. */
function shareOf(lower: string, matched: readonly (readonly [string, number])[], path: string): number {
  const ofPath = new Set(keywordTerms(path, MAX_TERMS));
  const terms = keywordTerms(lower, MAX_TERMS).filter((term) => !ofPath.has(term));
  const held = terms.filter((term) => matched.some(([form]) => term.startsWith(form)));
  return held.length / Math.max(1, terms.length);
}

/** Whether a sentence is whole and says something; of the user's own only what decides. */
function isTellable({ kind, text, isHeading }: Sentence, whole: string): boolean {
  if (isHeading || !START.test(whole) || sizeOf(whole) < CHARS.min || whole.length > CHARS.max) return false;
  if (kind === "narration" && NOW.test(whole)) return false;
  if (kind === "prompt" && !CUES.decision.test(whole) && !CUES.firm.test(whole)) return false;
  return !LEFT_OUT.test(whole) && !NOT.some((cue) => CUES[cue].test(text)) && !CUES.restated.test(whole);
}

/** Names another file, or nothing at all. */
function isElsewhere(text: string): boolean {
  return OTHER_FILE.test(text) || !CUES.name.test(text);
}

/** A sentence that points to the one before it is told with it; null where there is none on its line. */
function withLead({ text, line, kind }: Sentence, before: Sentence | undefined): string | null {
  if (!CUES.deictic.test(text)) return text;
  const isBeside = before !== undefined && before.line === line && before.kind === kind;
  if (!isBeside || CUES.narration.test(before.text) || CUES.deictic.test(before.text)) return null;
  const both = `${before.text} ${text}`;
  return both.length <= CHARS.joined ? both : null;
}

function worthOf(text: string): number {
  let worth = 0;
  for (const [cue, weight] of Object.entries(WORTH))
    if (CUES[cue as keyof typeof WORTH].test(text.replace(DECISION_NOUN, ""))) worth += weight;
  return Math.min(2, worth + (CHANGE_FIRST_WORD.test(text) ? CHANGE_FIRST : 0));
}

/** Parts of longer words that match as well count with these. */
function distinct(matched: readonly (readonly [string, number])[]): (readonly [string, number])[] {
  return matched.filter(([form]) => !matched.some(([other]) => other !== form && other.includes(form)));
}

/** Whether a text has a word that starts so. */
export function hasStart(lower: string, form: string): boolean {
  for (let at = lower.indexOf(form); at >= 0; at = lower.indexOf(form, at + 1))
    if (!/\p{L}/u.test(lower[at - 1] ?? " ")) return true;
  return false;
}

/** The names that a file goes by: its own, and without its ending where that is no common word. */
export function namesOf(path: string): string[] {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const stem = name.slice(0, Math.max(1, name.indexOf(".", 1)) || undefined);
  return stem !== name && /[-_\d]/.test(stem) && stem.length > 5 ? [name, stem] : [name];
}

/** Whether a text names a file: not as the end of a longer name. */
export function hasName(lower: string, name: string): boolean {
  for (let at = lower.indexOf(name); at >= 0; at = lower.indexOf(name, at + 1))
    if (!/[\w-]/.test(lower[at - 1] ?? " ") && !/[\w-]/.test(lower[at + name.length] ?? " ")) return true;
  return false;
}
