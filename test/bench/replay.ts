import { Database } from "bun:sqlite";
import { classify } from "../../src/recall/classify.ts";
import type { Filter } from "../../src/store/filter.ts";
import type { LocalSearchStore } from "../../src/store/store.ts";
import type { StoredTurn } from "../../src/store/stored.ts";
import { openingWords } from "../../src/turn/parts.ts";
import type { BenchMemory } from "./memory.ts";
import { overridingSearch } from "./overriding.ts";

const EDITS = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"]);

/** A turn and what it touched. */
export interface ReplayTurn {
  turn: StoredTurn;
  time: string;
  prompt: string;
  touched: Set<string>;
  edited: Set<string>;
}

/** A prompt that goes on to edit files which earlier sessions touched. */
export interface ReplayPrompt {
  current: ReplayTurn;
  /** Turns of its session before it, newest first. */
  own: ReplayTurn[];
  /** Turns of other sessions before it, newest first. */
  earlier: ReplayTurn[];
  /** Those of the edited files that are known from `earlier`. */
  files: Set<string>;
}

/** Lists a project's prompts in order of time, with what was known at each. */
export async function replay({ file, store }: BenchMemory): Promise<ReplayPrompt[]> {
  const turns = await allTurns(file, store.search);
  const prompts: ReplayPrompt[] = [];
  for (const [i, current] of turns.entries()) {
    if (current.turn.origin !== "human" || current.turn.role !== "turn") continue;
    const before = turns.slice(0, i).reverse();
    const earlier = before.filter(({ turn }) => turn.sessionId !== current.turn.sessionId);
    const files = new Set(
      [...current.edited].filter((path) => earlier.some(({ touched }) => touched.has(path))),
    );
    const own = before.filter(({ turn }) => turn.sessionId === current.turn.sessionId);
    if (files.size > 0) prompts.push({ current, own, earlier, files });
  }
  return prompts;
}

/** The memory as it was at a prompt: nothing later is found, and the session has touched what it had touched by then. */
export function asOf(
  store: LocalSearchStore,
  { current, own, earlier }: ReplayPrompt,
  resource: (name: string) => Promise<Float32Array>,
): LocalSearchStore {
  const until = new Date(Date.parse(current.time) - 1).toISOString();
  const then = (filter: Filter | undefined): Filter => ({ ...filter, until });
  const mean = async (names: Iterable<string>) =>
    meanOf(await Promise.all([...new Set(names)].map(resource)));
  return overridingSearch(store, {
    nearestChunks: (query, limit, filter) => store.nearestChunks(query, limit, then(filter)),
    keywordChunks: (terms, limit, filter) => store.keywordChunks(terms, limit, then(filter)),
    keywordTurns: (terms, limit, filter) => store.keywordTurns(terms, limit, then(filter)),
    turnsByFile: (hints, limit, filter) => store.turnsByFile(hints, limit, then(filter)),
    turnsByCommit: (hashes, limit, filter) => store.turnsByCommit(hashes, limit, then(filter)),
    turnsByPr: (numbers, limit, filter) => store.turnsByPr(numbers, limit, then(filter)),
    turnsByTitle: (texts, limit, filter) => store.turnsByTitle(texts, limit, then(filter)),
    async recentResources(_sessionId, limits) {
      const names = [...new Set(own.flatMap(({ touched }) => [...touched].reverse()))];
      const isUrl = (name: string) => name.includes("://");
      return {
        files: names.filter((name) => !isUrl(name)).slice(0, limits.files),
        urls: names.filter(isUrl).slice(0, limits.urls),
      };
    },
    async accessPattern(_sessionId, window) {
      const touching = own.filter(({ touched }) => touched.size > 0);
      const turns = window === "full" ? touching : touching.slice(0, window === "recent_5" ? 5 : 10);
      return mean(turns.flatMap(({ touched }) => [...touched]));
    },
    async nearestSessions(pattern, limit) {
      const sessions = Map.groupBy(earlier, ({ turn }) => turn.sessionId);
      const found = await Promise.all(
        [...sessions].map(async ([sessionId, turns]) => {
          const other = await mean(turns.flatMap(({ touched }) => [...touched]));
          return { sessionId, distance: other === null ? 2 : distanceOf(pattern, other) };
        }),
      );
      return found.sort((a, b) => a.distance - b.distance).slice(0, limit);
    },
  });
}

/** Lists the turns of a memory in order of time, with what each touched. */
export async function allTurns(file: string, store: LocalSearchStore): Promise<ReplayTurn[]> {
  const db = new Database(file, { readonly: true });
  const rows = db
    .query<{ id: number; path: string; tool: string }, []>(
      "SELECT turn_id AS id, file_path AS path, tool_name AS tool FROM file_mentions ORDER BY rowid",
    )
    .all();
  const ids = db.query<{ id: number }, []>("SELECT id FROM turns WHERE created_at IS NOT NULL").all();
  db.close();
  const mentions = Map.groupBy(rows, ({ id }) => id);
  const turns = await store.turns(ids.map(({ id }) => id));
  return turns
    .map((turn) => {
      const own = mentions.get(turn.turnId) ?? [];
      return {
        turn,
        time: turn.createdAt ?? "",
        prompt: openingWords(turn),
        touched: new Set(own.map(({ path }) => path)),
        edited: new Set(own.filter(({ tool }) => EDITS.has(tool)).map(({ path }) => path)),
      };
    })
    .sort((a, b) => a.time.localeCompare(b.time));
}

export function isTrivial({ current }: ReplayPrompt): boolean {
  return classify(current.prompt).trivial;
}

function meanOf(vectors: readonly Float32Array[]): Float32Array | null {
  const [first] = vectors;
  if (first === undefined) return null;
  const sum = new Float32Array(first.length);
  for (const vector of vectors)
    for (const [i, value] of vector.entries()) sum[i] = (sum[i] ?? 0) + value / vectors.length;
  return sum;
}

function distanceOf(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  let squareA = 0;
  let squareB = 0;
  for (const [i, value] of a.entries()) {
    const other = b[i] ?? 0;
    dot += value * other;
    squareA += value * value;
    squareB += other * other;
  }
  return 1 - dot / Math.sqrt(squareA * squareB);
}
