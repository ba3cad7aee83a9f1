import { choreShare } from "../../../recall/chore.ts";
import type { SearchHit } from "../../../recall/hits.ts";
import type { Matter } from "../../../recall/matter/matter.ts";
import type { Quotation } from "../../../recall/matter/quotation.ts";
import { rareWords, sharedRarity } from "../../../recall/rare-words.ts";
import { RANKED_CHARS } from "../../../recall/read-to-rank.ts";
import { search } from "../../../recall/search.ts";
import { isInWords, saysFact, saysRule } from "../../../recall/statement/keepable.ts";
import { findAttribution } from "../../../recall/statement/reported.ts";
import { joinText } from "../../../recall/telling/agent-text.ts";
import { matterItems } from "../../../recall/telling/matters.ts";
import { speakerLabel } from "../../../recall/telling/speaker.ts";
import type { SqliteStore } from "../../../store/sqlite/sqlite.ts";
import type { StoredTurn } from "../../../store/stored.ts";
import { folded } from "../../../text/fold.ts";
import { keywordTerms } from "../../../text/keywords.ts";
import { onOneLine } from "../../../text/lines.ts";
import { compareTimes } from "../../../text/when.ts";
import { CUES } from "../../../turn/cues.ts";
import { partText } from "../../../turn/parts.ts";
import { splitSentences } from "../../../turn/sentences.ts";
import { isAsked } from "../../../turn/text.ts";
import { turnTitle } from "../../../turn/title.ts";

/** Turns in which a question is looked for, the latest; questions asked at most; answers in which a later word is looked for. */
const LOOKED_AT = { turns: 1_000, asked: 16, hits: 10 } as const;
/** The least room that an answer has for its first matter, and the letters of a statement that show that it is told. */
const ROOM = {
  chars: 2_000,
  tokens: 1_000,
  confidence: "strong",
  outcomes: { turns: new Map(), prs: new Map() },
  answers: [],
} as const;
const TOLD = 80;
/** A later prompt with this share of an answer's rare words may rule otherwise: in its conversation, and elsewhere. */
const SAME_MATTER = { inside: 0.2, elsewhere: 0.4 } as const;

/** A question to the memory, its answer, and what was said in it by whom. */
export interface DemoAnswer extends Said {
  query: string;
  hit: SearchHit;
}

interface Said {
  says: string;
  /** `You`, or an agent's name. */
  speaker: string;
}

/**
 * Shows that the memory works: asks it, by words, what agents asked the user in these conversations and what the user asked
 * them, the best question first, and returns the first that it answers surely with that turn before all else. Null for none.
 */
export async function findDemoQuestion(store: SqliteStore, now: Date): Promise<DemoAnswer | null> {
  for (const asked of await questionsIn(store)) {
    const request = { query: asked.question, limit: LOOKED_AT.hits, ownMayRunAt: now };
    const { hits, matters, confidence } = await search(request, { store: store.search, embed: null });
    const [hit, matter] = [hits[0], matters[0]];
    if (hit === undefined || matter === undefined || confidence !== "strong") continue;
    const said = hit.turn.turnId === asked.turn.turnId ? answerIn(matter, asked) : null;
    if (
      said !== null &&
      !hits.some(({ turn }) => isLater(turn, asked.turn) && isOnMatter(turn, asked, said, "elsewhere"))
    )
      return { query: asked.question, hit, ...said };
  }
  return null;
}

/** A question that a turn may answer, with the user's answer if an agent asked. */
export interface Asked {
  question: string;
  answer: { ruled: string; says: string } | null;
  /** How well it shows what a memory is for: a choice with its reason most, a request least. */
  weight: number;
}

type AskedIn = Asked & { turn: StoredTurn };

/** Characters of a question, so that it can be typed, and words that it is found by: one of fewer finds other things, too. */
const QUESTION = { least: 20, most: 130, terms: 3 } as const;

/** The best questions of the latest turns. What other people said, and what another agent asked, is none. */
async function questionsIn({ browse, search, marks }: SqliteStore): Promise<AskedIn[]> {
  const hidden = await marks.hidden();
  const recent = await browse.recent(LOOKED_AT.turns, { human: true });
  const ids = recent.map(({ turnId }) => turnId).filter((id) => !hidden.has(id));
  return (await search.turns(ids, RANKED_CHARS))
    .filter(
      (turn) =>
        turn.role === "turn" && turn.origin === "human" && turn.author === null && turn.foreign === null,
    )
    .flatMap((turn) => questionsOf(turn).map((asked) => ({ ...asked, turn })))
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, LOOKED_AT.asked);
}

function questionsOf(turn: StoredTurn): Asked[] {
  const { text } = turn;
  const parts = turn.parts.filter(({ kind }) => kind === "prompt");
  const own = splitSentences({ text, parts }).filter(({ kind }) => kind === "prompt");
  const pairs = own.map((sentence) => answeredIn(sentence.text));
  return [...pairs, titleOf(turn)].filter((asked) => asked !== null).filter(isTypable);
}

function isTypable({ question, weight }: Asked): boolean {
  const { length } = question;
  const isShort = length >= QUESTION.least && length <= QUESTION.most && !question.includes("[redacted:");
  return isShort && weight > 0 && new Set(keywordTerms(question)).size >= QUESTION.terms;
}

/** A question of the agent with the user's answer, as the text of a turn has it. */
const ANSWERED = /^Question: (?<asked>.*)\nAnswer: (?<answer>.*)(?:\nNotes: (?<notes>.*))?$/;
/** What the agent adds to the answer that it would give. */
const RECOMMENDED = /\s{0,9}\(Recommended\)/i;
/** Characters of an answer that are shown whole. */
const SAYS = 200;

/** Returns a question of the agent that a text has with the user's answer; null if it has none, or one in no words. */
export function answeredIn(text: string): Asked | null {
  const { asked = "", answer = "", notes } = ANSWERED.exec(text)?.groups ?? {};
  const ruled = answer.replace(RECOMMENDED, "").trim();
  const isNoted = notes !== undefined && notes.trim() !== ruled;
  const says = isNoted ? `${ruled}. ${notes.trim()}` : ruled;
  if (!CUES.question.test(asked) || says.length > SAYS || !isInWords(ruled) || text.includes("[redacted:"))
    return null;
  const weight = 2 + questionWeight(asked) + Number(isNoted) + Number(CUES.reason.test(says));
  return { question: asked, answer: { ruled, says }, weight };
}

/** A title that is the user's words. It is asked after what is a question. */
function titleOf(turn: StoredTurn): Asked | null {
  const question = turnTitle(turn, null);
  if (!onOneLine(partText(turn, "prompt") ?? "").includes(question)) return null;
  return {
    question,
    answer: null,
    weight: (CUES.question.test(question) ? 1 : 0.1) + questionWeight(question),
  };
}

/** Asks what to choose, or why, in more than that word. */
const CHOOSES = /\b(?:should|which|how|where|why)\b(?!\?)/i;
/** Matches questions about how to proceed, or that make no sense without the preceding text. */
const OF_WORK =
  /\b(?:proceed|continue|skip|finding \d|branch|worktree|delete|remove)\b|\b(?:this|the) (?:change|refactoring|fix|stale)\b|\b(?:can|shall|should|may) i\b|\b(?:do|would|can|could) you\b|^\w+ (?:it|this|that|they|these)\b/i;
/** With this share of words of version control and the like, a question is about them. */
const CHORE = 0.5;

/** A question of the work is asked only where there is nothing better; one of several sentences takes long to read. */
function questionWeight(question: string): number {
  const isOfWork = OF_WORK.test(question) || choreShare(question) >= CHORE;
  const isOpen = CUES.question.test(question) && CHOOSES.test(question);
  return Number(isOpen) / 2 - Number(isOfWork) - (/[.!?] |[。！？]./.test(question) ? 0.3 : 0);
}

/** Returns what an answer says in reply to a question, if nothing that the user said after it may rule otherwise. */
function answerIn(matter: Matter, asked: AskedIn): Said | null {
  const { turnId } = asked.turn;
  const [newest] = matter.states;
  if (newest === undefined) return null;
  const told = lettersOf(
    joinText(
      matterItems([matter], ROOM).map(({ text }) => text),
      "\n",
    ),
  );
  const isTold = (text: string) => told.includes(lettersOf(text).slice(0, TOLD));
  const said =
    asked.answer === null
      ? agentSays(newest.said.filter(({ turn, text }) => turn.turnId === turnId && isTold(text)))
      : isTold(asked.answer.ruled) && { says: asked.answer.says, speaker: "You" };
  if (!said) return null;
  const { turns } = newest.conversation;
  const later = turns.slice(turns.findIndex((turn) => turn.turnId === turnId) + 1);
  return later.some((turn) => isOnMatter(turn, asked, said, "inside")) ? null : said;
}

/** A fact or a rule that the agent states itself: what it passes on proves nothing, and the user's words were the question. */
function agentSays(said: readonly Quotation[]): Said | null {
  const own = said.find(
    (each) =>
      !isAsked(each.kind) &&
      (findAttribution(each.text, each.turn)?.source ?? "file") === "file" &&
      (saysRule(each) || saysFact(each)),
  );
  return own === undefined ? null : { says: onOneLine(own.text), speaker: speakerLabel(own) };
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, "");
}

function isLater(one: StoredTurn, other: StoredTurn): boolean {
  return compareTimes(one.createdAt, other.createdAt) > 0;
}

/** Whether the user speaks of what was said, and may rule otherwise. */
function isOnMatter(
  turn: StoredTurn,
  { question }: Asked,
  { says }: Said,
  where: keyof typeof SAME_MATTER,
): boolean {
  const words = rareWords(`${question} ${says}`);
  return sharedRarity(words, folded(partText(turn, "prompt") ?? "")) >= SAME_MATTER[where];
}
