import { countWords } from "../../../recall/classify.ts";
import type { SearchHit } from "../../../recall/hits.ts";
import type { Matter } from "../../../recall/matter/matter.ts";
import { RANKED_CHARS } from "../../../recall/read-to-rank.ts";
import { search } from "../../../recall/search.ts";
import { rareWords, sharedRarity } from "../../../recall/worth/occasion.ts";
import type { SqliteStore } from "../../../store/sqlite/sqlite.ts";
import type { StoredTurn } from "../../../store/stored.ts";
import { folded } from "../../../text/fold.ts";
import { textOf } from "../../../turn/parts.ts";
import { ownWords } from "../../../turn/pasted.ts";
import { sentencesOf } from "../../../turn/sentences.ts";
import { type Ruling, rulingIn } from "./question.ts";

/** Turns in which a ruling is looked for, the latest; questions asked at most, and of one turn. */
const LOOKED_AT = { turns: 1_000, asked: 8, ofTurn: 2 } as const;
/** A longer prompt is a plan, of which no sentence is asked about by itself. */
const PLAN_WORDS = 90;
/** Characters of its first statement that an answer surely shows; fewer stand as the next words of another, if they are. */
const SHOWN = { least: 61, most: 300 } as const;
/** A later prompt with this share of a ruling's rare words may rule otherwise. */
const SAME_MATTER = 0.2;

/** A question to the memory, its answer, and what the user said in it. */
export interface Recall {
  query: string;
  hit: SearchHit;
  says: string;
}

/**
 * Shows that the memory works: asks it, by words, what the user ruled in these conversations, the best question first, and
 * returns the first that it answers surely with that ruling before all else. Null where it answers none so.
 */
export async function proveRecall(store: SqliteStore, now: Date): Promise<Recall | null> {
  for (const { turn, ruling } of await candidatesIn(store)) {
    const { question: query, says } = ruling;
    const request = { query, limit: 1, ownMayRunAt: now };
    const { hits, matters, confidence } = await search(request, { store: store.search, embed: null });
    const [hit, matter] = [hits[0], matters[0]];
    if (hit === undefined || matter === undefined || confidence !== "strong") continue;
    if (hit.turn.turnId === turn.turnId && answers(matter, turn, ruling)) return { query, hit, says };
  }
  return null;
}

/** What the user ruled in the latest turns, what shows best first. */
async function candidatesIn({ browse, search, marks }: SqliteStore): Promise<Candidate[]> {
  const hidden = await marks.hidden();
  const recent = await browse.recent(LOOKED_AT.turns, { human: true });
  const ids = recent.map(({ turnId }) => turnId).filter((id) => !hidden.has(id));
  return (await search.turns(ids, RANKED_CHARS))
    .flatMap((turn) => rulingsIn(turn).map((ruling) => ({ turn, ruling })))
    .toSorted((a, b) => b.ruling.weight - a.ruling.weight)
    .slice(0, LOOKED_AT.asked);
}

interface Candidate {
  turn: StoredTurn;
  ruling: Ruling;
}

/** The best rulings of the user's in a turn. What was pasted, and what another agent asked, is none. */
function rulingsIn(turn: StoredTurn): Ruling[] {
  const { text, role, origin, author, foreign } = turn;
  if (role !== "turn" || origin !== "human" || author !== null || foreign !== null) return [];
  const prompt = textOf(turn, "prompt") ?? "";
  const isPlan = countWords(ownWords(prompt)) > PLAN_WORDS;
  if (isPlan && !prompt.includes("\nAnswer: ")) return [];
  return sentencesOf({ text, parts: turn.parts.filter(({ kind }) => kind === "prompt") })
    .flatMap((sentence) => rulingIn(sentence.text, isPlan) ?? [])
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, LOOKED_AT.ofTurn);
}

/** Whether an answer begins with a ruling, and nothing that was said after it rules otherwise. */
function answers({ states: [newest] }: Matter, turn: StoredTurn, { question, ruled }: Ruling): boolean {
  const [first] = newest?.said ?? [];
  if (newest === undefined || first?.kind !== "prompt" || first.turn.turnId !== turn.turnId) return false;
  const isNext = newest.said.some(({ next }) => next?.turn?.turnId === turn.turnId);
  if (isNext && first.text.length < SHOWN.least) return false;
  if (!lettersOf(first.text.slice(0, SHOWN.most)).includes(lettersOf(ruled))) return false;
  const { turns } = newest.conversation;
  const words = rareWords(`${question} ${ruled}`);
  const later = turns.slice(turns.findIndex(({ turnId }) => turnId === turn.turnId) + 1);
  return later.every((each) => sharedRarity(words, folded(textOf(each, "prompt") ?? "")) < SAME_MATTER);
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, "");
}
