import type { SearchHit } from "../../search/hits.ts";
import { search } from "../../search/search.ts";
import { type ScoredSentence, scoredSentences } from "../../statement/choose.ts";
import { CUES } from "../../statement/cues.ts";
import { isChoice, isOfStep, saysRule, withoutAssent } from "../../statement/keepable.ts";
import { reportedIn } from "../../statement/reported.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { withoutBold } from "../../text/bold.ts";
import { askedIn } from "../../turn/asked.ts";
import { openingWords } from "../../turn/parts.ts";

/** How many recalls `enable` shows, among how many turns they are looked for, and the words and characters of each. */
const PROOF = { recalls: 2, turns: 400, queryWords: 12, minWords: 4, minChars: 50, maxChars: 220 } as const;

/** A question to the memory, its best answer, and the decision in it. */
export interface Recall {
  query: string;
  hit: SearchHit;
  says: string;
}

/**
 * Shows that the memory works by decisions that it remembers: looks for sentences that name a choice and its reason, asks
 * the memory the questions that led to them, and returns those that it answers with that turn, at most one of a session.
 * Uses keywords, since vectors come later.
 */
export async function proveRecall(store: SqliteStore): Promise<Recall[]> {
  const recent = await store.browse.recent(PROOF.turns, { human: true });
  const turns = await store.search.turns(recent.map(({ turnId }) => turnId));
  const decided = turns.flatMap((turn) => decisionIn(turn) ?? []).toSorted((a, b) => b.weight - a.weight);
  const recalls: Recall[] = [];
  for (const { turn, query, says } of decided) {
    if (recalls.length === PROOF.recalls) break;
    if (recalls.some(({ hit }) => hit.turn.sessionId === turn.sessionId)) continue;
    const request = { query, limit: 1, mode: "keyword" as const, passageChars: PROOF.maxChars };
    const [hit] = (await search(request, { store: store.search, embed: null })).hits;
    if (hit?.turn.turnId === turn.turnId) recalls.push({ query, hit, says });
  }
  return recalls;
}

interface Decision {
  turn: StoredTurn;
  query: string;
  says: string;
  weight: number;
}

/** The sentence of a turn that names a decision best, and the prompt that led to it; null where there is none. */
function decisionIn(turn: StoredTurn): Decision | null {
  const query = questionIn(turn);
  if (
    turn.role !== "turn" ||
    query.split(" ").length < PROOF.minWords ||
    ADDRESS.test(openingWords(turn).slice(0, PROOF.maxChars))
  )
    return null;
  const [best] = scoredSentences(turn, NOTHING_SOUGHT)
    .filter((sentence) => saysChoice(sentence) && reportedIn(sentence.text, turn) === null)
    .map((sentence) => ({ says: withoutBold(sentence.text), weight: weightOf(sentence) }))
    .toSorted((a, b) => b.weight - a.weight);
  if (best === undefined || best.weight < 2) return null;
  return { turn, query, ...best, weight: best.weight + Number(ASKS_WHY.test(query)) };
}

/** A prompt that asks for a reason or a choice shows best what a memory is for. */
const ASKS_WHY = /\b(?:why|how|should|which|whether|instead|rather|better)\b/i;

/** A prompt that is little more than a web address says no matter. */
const ADDRESS = /:\/\//;

/** The first words of a prompt, without politeness, and with the mark of a cut where there are more. */
function questionIn(turn: StoredTurn): string {
  const words = withoutAssent(askedIn(openingWords(turn))).split(" ");
  const first = words.slice(0, PROOF.queryWords).join(" ");
  return words.length > PROOF.queryWords ? `${first.replace(/(?<![\s,;:.])[\s,;:.]+$/, "")}…` : first;
}

const NOTHING_SOUGHT = { words: [], total: 0 } as const;
/** What was taken, or in place of what. */
const CHOICE =
  /\b(?:(?:chose|chosen|picked|went with|going with)|instead of|rather than|(?:would|will|['’]d|['’]ll) (?:use|keep)|source of truth)\b|(?:is|are) enough\b|\b(?:use|take|keep)s? [^.;]{2,60}, not \b/i;
const ENDS = /[.!。！][)"'`*_’”]*$/;

/** Whether the agent said, in a whole sentence that stands by itself, what was chosen. */
function saysChoice(sentence: ScoredSentence): boolean {
  const { kind, text, isHeading } = sentence;
  const isRightLength = text.length >= PROOF.minChars && text.length <= PROOF.maxChars;
  return (
    kind === "answer" &&
    !isHeading &&
    isRightLength &&
    ENDS.test(text) &&
    (isChoice(sentence) || (CHOICE.test(text) && !isOfStep(sentence) && saysRule(sentence)))
  );
}

/** A choice that somebody owns, its reason and a name weigh most; guesses, questions and announcements weigh nothing. */
function weightOf(sentence: ScoredSentence): number {
  const { text } = sentence;
  const { reason, decision, name, rule, guess, lead, deictic, open, restated, checked } = CUES;
  if ([guess, lead, open, restated, checked].some((cue) => cue.test(text))) return 0;
  const signs = [reason, decision, decision, name, rule].filter((cue) => cue.test(text)).length;
  return signs + 2 * Number(isChoice(sentence)) - Number(deictic.test(text));
}
