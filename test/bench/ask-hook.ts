import type { Embedder } from "../../src/embed/embedder.ts";
import { classify } from "../../src/recall/classify.ts";
import type { GateFeatures, GateKind } from "../../src/recall/gate.ts";
import { RECENT_FILES } from "../../src/recall/ranking.ts";
import { type RecallDeps, recall } from "../../src/recall/recall.ts";
import { search as searchAnswer } from "../../src/recall/search.ts";
import { renderRecall } from "../../src/recall/telling/recall.ts";
import type { ToldMatter } from "../../src/recall/worth/told.ts";
import type { Filter } from "../../src/store/filter.ts";
import type { RecallStore } from "../../src/store/marks.ts";
import type { BrowseStore, LocalSearchStore } from "../../src/store/store.ts";
import { halfOf } from "./measures.ts";
import { overridingSearch } from "./overriding.ts";
import type { LabelledQuery } from "./prompts.ts";

/** What the gate did with one prompt. */
export interface GateRecord {
  group: string;
  right: boolean;
  inSession: boolean;
  half: 0 | 1;
  query: string;
  chunks: number;
  answered: boolean;
  /** A right session is among the turns that are told when the gate opens. */
  holdsRight: boolean;
  characters: number;
  features: GateFeatures | null;
  /** By which model it was judged; null where nothing was found. */
  kind: GateKind | null;
}

/** A memory as far as it is asked; without an embedder words answer alone. */
export interface AskedMemory {
  store: { search: LocalSearchStore; recall: RecallStore; browse: Pick<BrowseStore, "neighbours"> };
  embedder: Pick<Embedder, "embed"> | null;
  /** What may be told; everything when absent. */
  filter?: Pick<Filter, "others">;
}

/** Asks the whole pipeline of the prompt hook, in a fresh session or in the middle of one. */
export async function ask(
  { store, embedder, filter = {} }: AskedMemory,
  prompt: LabelledQuery,
  group: string,
  inSession: boolean,
): Promise<GateRecord> {
  const search = inSession ? await workingOn(store.search, prompt.query) : store.search;
  // The hook and the search ask for the same vector: the model makes it once.
  const embed = embedder === null ? null : onceEach((text) => embedder.embed(text));
  const told = await toldOf(prompt.query, {
    store: search,
    recall: store.recall,
    browse: store.browse,
    filter,
    journal: { turnsToldIn: async () => new Set() },
    openEmbed: async () => embed,
    timeLeftMs: () => Number.POSITIVE_INFINITY,
  });
  const text = renderRecall(told);
  const { explain } = await searchAnswer({ query: prompt.query, limit: 1 }, { store: search, embed });
  return {
    group,
    right: group === "right",
    inSession,
    half: halfOf(prompt.sessions[0] ?? prompt.query),
    query: prompt.query,
    chunks: (await store.search.totals()).chunks,
    answered: text !== null,
    holdsRight: told.some((matter) => isOf(matter, prompt.sessions)),
    characters: text?.text.length ?? 0,
    features: explain.gate?.features ?? null,
    kind: explain.gate?.kind ?? null,
  };
}

/** Whether a matter is from one of these sessions. */
export function isOf({ states }: ToldMatter, sessions: readonly string[]): boolean {
  return states.some(({ conversation }) => sessions.includes(conversation.found.sessionId));
}

function onceEach(embed: (text: string) => Promise<Float32Array>) {
  const made = new Map<string, Promise<Float32Array>>();
  return (text: string) => {
    const vector = made.get(text) ?? embed(text);
    made.set(text, vector);
    return vector;
  };
}

/** What the hook tells for a prompt: nothing for a trivial one, which it does not search for. */
export async function toldOf(prompt: string, deps: RecallDeps, sessionId = "bench-session") {
  return classify(prompt).trivial ? [] : (await recall(prompt, sessionId, deps)).told;
}

/** A session that has touched ten files already: those of some other session, whichever the prompt's hash picks. */
export async function workingOn(store: LocalSearchStore, prompt: string): Promise<LocalSearchStore> {
  const { turns } = await store.totals();
  const start = Bun.hash.xxHash32(prompt) % turns;
  const near = await store.turns(Array.from({ length: 20 }, (_, i) => 1 + ((start + i) % turns)));
  for (const { sessionId } of near) {
    const { files } = await store.recentResources(sessionId, { files: RECENT_FILES, urls: 0 });
    if (files.length < 5) continue;
    return overridingSearch(store, {
      recentResources: async () => ({ files, urls: [] }),
      accessPattern: (_session, window) => store.accessPattern(sessionId, window),
    });
  }
  return store;
}
