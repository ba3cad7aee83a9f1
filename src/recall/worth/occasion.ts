import { alsoIn } from "../../text/also-in.ts";
import { folded } from "../../text/fold.ts";
import { keywordTerms } from "../../text/keywords.ts";
import { shareOfTexts } from "../common-words.ts";
import type { QueryParts } from "../query.ts";
import { wordForm } from "../word-form.ts";
import { PROMPTS_ELSEWHERE } from "./prompts-elsewhere.ts";

/** What a prompt is, by its words alone, and how it stands to the session that asks. */
export interface Occasion {
  /** Natural logarithm of its number of characters. */
  length: number;
  question: number;
  /** A chore of version control, tests, or a release. */
  chore: number;
  /** Words that point into the running conversation. */
  pointing: number;
  /** Answers what the agent asked or did: assent, dissent, a choice. */
  reply: number;
  /** A correction of what the agent just did. */
  correction: number;
  /** A pasted error or log. */
  pasted: number;
  /** Opens a matter: asks for something to be built, mended or explained. */
  request: number;
  /** Looks back: asks what was done or decided before. */
  lookBack: number;
  names: number;
  /** Total rarity of its words, in nats. */
  rarity: number;
  /** True of the first prompt of a session. */
  opening: number;
  /** Natural logarithm of the number of turns of the session so far. */
  turns: number;
  /** Share of the prompt's rarity that the session's own turns contain, and of that the last turn alone. */
  known: number;
  knownLast: number;
}

const CHORE = alsoIn(
  /\b(?:commit|push|rebase|merge|pull request|\bpr\b|branch|stash|cherry[- ]pick|changelog|release|tag|deploy|lint|run (?:the )?tests?|format|clean ?up|restart|checkout|worktree|squash|amend|ci)\b/gi,
  PROMPTS_ELSEWHERE.chore,
);
const POINTING = alsoIn(
  /\b(?:this|that|it|these|those|them|here|above|again|both|other|same|else|still|now|also|too|one)\b/gi,
  PROMPTS_ELSEWHERE.pointing,
);
const REPLY = alsoIn(
  /^\s*(?:\d[.)\s]|(?:yes|yeah|yep|no|nope|ok(?:ay)?|sure|great|perfect|good|nice|thanks|please|go|do it|let'?s|continue|proceed|option|[a-d]|and|but|so|also|then|actually|hm+|ah|oh|wait|sounds|agree|right|correct|exactly|still|now)\b)/i,
  PROMPTS_ELSEWHERE.reply,
  true,
);
const CORRECTION = alsoIn(
  /\b(?:not what|wrong|instead|revert|undo|don't|doesn't|didn't|isn't|still|shouldn't|no longer|actually|rather|you (?:forgot|missed|broke|removed|should|did))\b/i,
  PROMPTS_ELSEWHERE.correction,
);
const PASTED =
  /```|\bat .{1,400}?:\d+:\d+|Traceback|^[ \t]*(?:Error|error|panic|FAIL|--- FAIL|npm ERR|✗|×)|\n.*\n.*\n.*\n.*\n/m;
const REQUEST = alsoIn(
  /\b(?:add|implement|create|build|make|write|fix|change|update|refactor|remove|support|investigate|debug|design|improve|extend|migrate|rename|move|review|check|find|why|how|what|where|when|which|can we|could we|should we|i want|i'd like|we need|explain)\b/i,
  PROMPTS_ELSEWHERE.request,
);
const LOOK_BACK = alsoIn(
  /\b(?:before|earlier|previous(?:ly)?|last (?:time|session|week)|yesterday|again|we (?:had|did|decided|discussed|talked|changed|added|fixed|used)|remember|history|already|used to|originally|back then|as (?:we|in))\b/i,
  PROMPTS_ELSEWHERE.lookBack,
);

/**
 * Describes a prompt for the model that decides what is worth telling. `own` are the texts of the session's latest turns,
 * oldest first.
 */
export function occasionOf(
  prompt: string,
  parts: Pick<QueryParts, "terms" | "fileHints" | "literals">,
  own: readonly string[],
): Occasion {
  const rarity = parts.terms.reduce((sum, term) => sum + term.rarity, 0);
  const text = prompt.slice(0, 4_000);
  const said = folded(own.join("\n"));
  const last = folded(own.at(-1) ?? "");
  const held = (lower: string) =>
    rarity === 0 || lower === ""
      ? 0
      : parts.terms.reduce((sum, term) => sum + (lower.includes(wordForm(term.term)) ? term.rarity : 0), 0) /
        rarity;
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const words = countAll(text);
  return {
    length: Math.log(Math.max(1, text.length)),
    question: Number(/[?？]/.test(text)),
    chore: choreShare(text),
    pointing: Math.min(1, (3 * count(POINTING)) / (words + 2)),
    reply: Number(REPLY.test(text)),
    correction: Number(CORRECTION.test(text)),
    pasted: Number(PASTED.test(text)),
    request: Number(REQUEST.test(text)),
    lookBack: Number(LOOK_BACK.test(text)),
    names: Math.log1p(parts.fileHints.length + parts.literals.identifiers.length),
    rarity: rarity / 30,
    opening: Number(own.length === 0),
    turns: Math.log1p(own.length),
    known: held(said),
    knownLast: held(last),
  };
}

/** How much of a prompt is about version control, tests and releases, 0 to 1. */
export function choreShare(prompt: string): number {
  const words = countAll(prompt);
  return Math.min(1, (3 * (prompt.match(CHORE)?.length ?? 0)) / (words + 2));
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu;
/** In scripts without spaces, so many letters count as a word. */
const LETTERS_PER_WORD = 2;

/** Counts what stands between spaces, and the words of scripts without them by their letters. */
function countAll(text: string): number {
  const letters = text.match(UNSPACED)?.length ?? 0;
  return Math.max(1, text.split(/\s+/).length, Math.ceil(letters / LETTERS_PER_WORD));
}

/** The rarity of each word of a text among developers' texts, in nats; words of one text once. */
export function rareWords(text: string, limit = 80): Map<string, number> {
  return new Map(
    keywordTerms(text, limit).map((term) => [wordForm(term), -Math.log(Math.max(1e-4, shareOfTexts(term)))]),
  );
}

/** Share of a text's words, weighted by rarity, that another lower-case text contains. */
export function sharedRarity(words: ReadonlyMap<string, number>, lower: string): number {
  let [held, total] = [0, 0];
  for (const [form, rarity] of words) {
    total += rarity;
    if (lower.includes(form)) held += rarity;
  }
  return total === 0 ? 0 : held / total;
}
