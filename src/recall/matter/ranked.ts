import { lazily } from "../../lazily.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { addLanguages } from "../../text/languages.ts";
import { CUES } from "../../turn/cues.ts";
import { partText } from "../../turn/parts.ts";
import { isAsked, type PartKind, type WordsKind } from "../../turn/text.ts";
import { countWords } from "../classify.ts";
import { joinBest, type ScoredSentence, type Statement, scoredSentences } from "../statement/choose.ts";
import { coveredShare, type SoughtWords } from "../statement/features.ts";
import { bySpeaker, type SettledStatement, scoreSettling } from "./settled.ts";

/**
 * Weights that rank what a conversation says: the user's words before an agent's, since they decide, most of all where they
 * overrule; words of the question, and for an agent the model that selects sentences; how well a turn was found, which counts more
 * where a session has many matters; a later turn. The first prompt of a session only asks, and a summary only repeats. Chosen on half
 * of the questions of `fixtures/ask` and 40 of two real histories: of 62 answers that name the right turn 56 say what it decided,
 * before 49; on the other half 43 of 46, before 31 of 47.
 */
const WEIGHTS = { reaction: 2.5, overruling: 1, covered: 5, model: 0.7, later: 0.1, summary: -2 } as const;
const FOUND = { short: 1, long: 3 } as const;
/** Phrases by which a user overrules what was said. */
const OVERRULES = addLanguages(
  /^(?:no|nope|not|never|don['’]t|stop|better not)\b|\b(?:instead|the other way|turn it|forget|rather)\b/i,
  {
    words:
      "nein|lieber|stattdessen|umgekehrt|doch nicht|plutôt|au lieu|à la place|mejor|en lugar|al revés|em vez|melhor|ao contrário|нет|лучше|вместо|наоборот",
    parts: "아니|대신|말고|반대로|いや|ではなく|代わりに|逆に|不对|不是|改成|反过来",
  },
);
/** Kinds of parts that are told: thoughts and the next prompt are long, and never told as such. */
const TOLD: ReadonlySet<WordsKind> = new Set(["prompt", "unsure", "answer", "narration"]);
/** Minimum score of a statement. */
const LEAST = -1;
/** Maximum words of a reply that is meaningless without its question. */
const BARE_WORDS = 5;
/** Number of an answer's last sentences in which to look for the question that the user replies to. */
const ASKING = 3;

const NOTHING_SOUGHT: SoughtWords = { words: [], total: 0 };

/** A conversation with its sentences, to rank. */
export interface Ranked {
  turns: readonly StoredTurn[];
  sentences: (turn: StoredTurn) => readonly ScoredSentence[];
  /** How well the search found a turn, as a share of the best one; 0 for others. */
  relevance: (turn: StoredTurn) => number;
  /** Id of the first turn of the session, and of the last one of a short session; null if unknown. */
  firstId: number | null;
  lastId: number | null;
}

/**
 * Returns the statements of user and agent in each turn, the most decisive first; a reply is followed by the question that it
 * answers.
 */
export function rankStatements(ranked: Ranked, sought: SoughtWords): SettledStatement[] {
  const { turns, sentences, relevance } = ranked;
  const rows = turns.map((turn, place) => {
    const replied = turns[place + 1];
    const asked = replied && isBare(partText(replied, "prompt") ?? "") ? askedLast(sentences(turn)) : null;
    const found = relevance(turn) * (ranked.lastId === null ? FOUND.long : FOUND.short);
    const placed = found + WEIGHTS.later * place + (turn.role === "turn" ? 0 : WEIGHTS.summary);
    return statementsOf(turn, ranked, sought).map((each) => ({
      ...(asked === null || isAsked(each.kind) ? each : withQuestion(each, asked)),
      ...{ turnId: turn.turnId, place },
      score: each.score + placed,
    }));
  });
  return rows
    .flat()
    .toSorted((a, b) => b.score - a.score)
    .flatMap(({ place, ...row }) => {
      const meant = row.kind === "prompt" && isBare(row.text) ? rows[place - 1] : undefined;
      return [row, ...(meant ?? []).filter(({ kind }) => !isAsked(kind))];
    });
}

/** Adds the question that the user's reply answers. */
function withQuestion(said: Statement, { text }: ScoredSentence): Statement {
  return said.text.includes(text) ? said : { ...said, text: `${said.text} … ${text}` };
}

function statementsOf(turn: StoredTurn, { sentences, firstId, lastId }: Ranked, sought: SoughtWords) {
  const given = sentences(turn).filter(({ kind }) => TOLD.has(kind));
  const reaction = turn.turnId === firstId ? 0 : WEIGHTS.reaction;
  const scored = scoreSettling(given, turn.turnId === lastId).map((sentence, at) => {
    const { kind, text, score } = sentence;
    const isUsers = kind === "prompt";
    // A question naturally has the query's words, but decides nothing.
    const covered = isUsers && !CUES.question.test(text) ? coveredShare(text, sought) : 0;
    const more = isUsers
      ? reaction + (OVERRULES.test(text) ? WEIGHTS.overruling : 0) + WEIGHTS.covered * covered
      : WEIGHTS.model * (given[at]?.score ?? 0);
    return { ...sentence, score: score + more };
  });
  return bySpeaker(scored, LEAST, { isReply: true, isUnsureTold: true });
}

/** Phrases that refer to earlier text: "take it", "go for option 2". */
const NAMES_BEFORE =
  /^(?:\S+ ){0,3}(?:(?:it|that|this|these|those|them|both)(?=[,.;:!?]|$| (?:and|but|instead|then|too|now|please)\b)|options? [\da-d]\b|#\d)|^\d\b/i;

/** Tells whether a reply, such as "yes, 30 seconds", is meaningless without its question. */
function isBare(text: string): boolean {
  return CUES.deictic.test(text) || NAMES_BEFORE.test(text) || countWords(text) <= BARE_WORDS;
}

/** Returns the question at the end of an answer; null if it has none. */
function askedLast(sentences: readonly ScoredSentence[]): ScoredSentence | null {
  const said = sentences.filter(({ kind }) => kind === "answer" || kind === "narration");
  return said.slice(-ASKING).findLast(({ text }) => CUES.question.test(text)) ?? null;
}

/**
 * Shortens a part of a turn to its most decisive sentences, in order. Null if it has no sentences; a single one may exceed the
 * limit.
 */
export function decidingPart(turn: StoredTurn, kind: PartKind): (chars: number) => string | null {
  const parts = turn.parts.filter((part) => part.kind === kind);
  const all = lazily(() => scoreSettling(scoredSentences({ ...turn, parts }, NOTHING_SOUGHT), false));
  return (chars) => {
    const sentences = all();
    const size = { chars, sentences: sentences.length, within: Number.POSITIVE_INFINITY };
    return joinBest(sentences, size)?.text ?? null;
  };
}
