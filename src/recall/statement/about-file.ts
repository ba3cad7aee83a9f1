import { folded } from "../../text/fold.ts";
import { keywordTerms } from "../../text/keywords.ts";
import { CUES } from "../../turn/cues.ts";
import { partText } from "../../turn/parts.ts";
import type { Sentence } from "../../turn/sentences.ts";
import { isAsked, type TurnText } from "../../turn/text.ts";
import { type ScoredSentence, scoredSentences } from "./choose.ts";
import { sizeOf } from "./features.ts";

/** The request to a turn: the file, and the words of the current subject. */
export interface FileMatter {
  /** Stored path of the file. */
  path: string;
  /** Forms of the current turn's words in lower case without endings, with their weights in nats. */
  words: ReadonlyMap<string, number>;
}

/** A sentence of a turn that gives a reason, a rule or a finding about a file. */
export interface FileStatement {
  text: string;
  kind: Sentence["kind"];
  /** Score of its content and of its relevance to the current subject. */
  score: number;
  /** Weight of its words from the current subject, in nats. */
  matter: number;
}

const CHARS = { min: 60, max: 330, joined: 300 } as const;
const OTHER_FILE =
  /(?<![\w-]|[\w-]\.)[\w-]+(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|c|h|cc|cpp|cs|php|sh|sql|css|html|vue|mdx?|ya?ml|json|toml|omp)\b/i;
/** Bonuses of a sentence worth showing before an edit. Set by hand. */
const WORTH = { reason: 1, finding: 1.2, decision: 0.9, firm: 0.9, rule: 0.4 } as const;
const MIN_WORTH = 0.7;
/** Penalty for a list of changes, which says less than their reason. */
const CHANGE_FIRST = -1.2;
const CHANGE_FIRST_WORD =
  /^\W{0,40}(?:[^—–]{1,90} [—–-] |[^:.]{1,40}: )?(?:fixed|added|adds|changed|changes|updated|updates|removed|removes|moved|renamed|refactored|created|implemented|extracted|renders|swapped|split|replaced|now(?! when))\b/i;
/** The start of a whole sentence. */
const START = /^[\p{Lu}\p{N}`"'*_~([\p{Lo}]/u;
/** Maximum length of a prompt in the user's own words; a longer one is a pasted plan. */
const OWN_PROMPT_CHARS = 1_500;
/** The noun "decision", which names a thing but decides nothing. */
const DECISION_NOUN = /\bdecisions?\b/gi;
const NOW = /^now\b(?!,? (?:when|that|the|it)\b)/i;
/** Phrases for excluded work, which say nothing about a file. */
const LEFT_OUT = /\bout of scope\b|\bnot (?:part of|in) (?:this|the) (?:change|plan|scope)\b/i;
const NOT = ["narration", "question", "guess", "checked", "restated", "lead"] as const;
/** Bonus for naming the file, added to the fitted model's score in logits. Set by hand. */
const NAMED = 0.8;
const WORTH_WEIGHT = 0.4;
const OWN_WORDS = 0.3;
const MIN_WORDS = { named: 2, unnamed: 3 } as const;
/** Minimum weight of words on the current subject, in nats; higher for a sentence that does not name the file. */
const MATTER_NATS = { named: 2.5, unnamed: 5 } as const;
/** Minimum share of a sentence on the current subject; fewer common words are chance. */
const MATTER_SHARE = 1 / 3;
const MAX_TERMS = 60;

/** Returns a turn's statements about a file, best first. */
export function statementsAboutFile(turn: TurnText, matter: FileMatter): FileStatement[] {
  const names = fileAliases(matter.path);
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

/** Returns the kinds of parts to quote. Words between tool calls count only if none follow them. */
function toldKinds(turn: TurnText): ReadonlySet<Sentence["kind"]> {
  const kinds = new Set<Sentence["kind"]>(["note", "answer"]);
  if ((partText(turn, "prompt")?.length ?? 0) <= OWN_PROMPT_CHARS) kinds.add("prompt").add("unsure");
  if (partText(turn, "answer") === null) kinds.add("narration");
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

/** Returns the share of a sentence's words on the current subject, without the words of the path, which fit every subject. */
function shareOf(lower: string, matched: readonly (readonly [string, number])[], path: string): number {
  const ofPath = new Set(keywordTerms(path, MAX_TERMS));
  const terms = keywordTerms(lower, MAX_TERMS).filter((term) => !ofPath.has(term));
  const held = terms.filter((term) => matched.some(([form]) => term.startsWith(form)));
  return held.length / Math.max(1, terms.length);
}

/** Tells whether a sentence is whole and has content; the user's own sentences must decide something. */
function isTellable({ kind, text, isHeading }: Sentence, whole: string): boolean {
  if (isHeading || !START.test(whole) || sizeOf(whole) < CHARS.min || whole.length > CHARS.max) return false;
  if (kind === "narration" && NOW.test(whole)) return false;
  if (isAsked(kind) && !CUES.decision.test(whole) && !CUES.firm.test(whole)) return false;
  return !LEFT_OUT.test(whole) && !NOT.some((cue) => CUES[cue].test(text)) && !CUES.restated.test(whole);
}

/** Tells whether a text names another file, or nothing at all. */
function isElsewhere(text: string): boolean {
  return OTHER_FILE.test(text) || !CUES.name.test(text);
}

/** Returns a sentence together with the one that it refers to; null if that is not on its line. */
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

/** Removes matched parts of longer matched words. */
function distinct(matched: readonly (readonly [string, number])[]): (readonly [string, number])[] {
  return matched.filter(([form]) => !matched.some(([other]) => other !== form && other.includes(form)));
}

/** Tells whether a text has a word with this start. */
function hasStart(lower: string, form: string): boolean {
  for (let at = lower.indexOf(form); at >= 0; at = lower.indexOf(form, at + 1))
    if (!/\p{L}/u.test(lower[at - 1] ?? " ")) return true;
  return false;
}

/** Returns the names of a file: its own, and without its extension unless that is a common word. */
export function fileAliases(path: string): string[] {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const stem = name.slice(0, Math.max(1, name.indexOf(".", 1)) || undefined);
  return stem !== name && /[-_\d]/.test(stem) && stem.length > 5 ? [name, stem] : [name];
}

/** Tells whether a text names a file, but not as the end of a longer name. */
export function hasName(lower: string, name: string): boolean {
  for (let at = lower.indexOf(name); at >= 0; at = lower.indexOf(name, at + 1))
    if (!/[\w-]/.test(lower[at - 1] ?? " ") && !/[\w-]/.test(lower[at + name.length] ?? " ")) return true;
  return false;
}
