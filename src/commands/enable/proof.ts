import type { SearchHit } from "../../search/hits.ts";
import { search } from "../../search/search.ts";
import type { CommitSummary, SessionSummary } from "../../store/contract/types/browse.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";

/**
 * Number of recalls that `enable` shows, number of sessions that they are chosen from, and their length in
 * characters.
 */
const PROOF = { recalls: 3, sessions: 200, queryWords: 10, minWords: 3, passageChars: 220 } as const;

/** A question to the memory, and the best answer. */
export interface Recall {
  query: string;
  hit: SearchHit;
}

/**
 * Shows that the memory works: searches for the topics of sessions that are far apart in time, and returns the best
 * turn for each, at most one per session. Uses keywords, since vectors come later.
 */
export async function proveRecall(store: SqliteStore): Promise<Recall[]> {
  const { sessions } = await store.browse.sessions({ human: true }, { limit: PROOF.sessions });
  const commits = await store.browse.commits({ limit: PROOF.sessions });
  const recalls: Recall[] = [];
  for (const query of questionsFrom(sessions, commits)) {
    if (recalls.length === PROOF.recalls) break;
    const request = { query, limit: 1, mode: "keyword" as const, passageChars: PROOF.passageChars };
    const [hit] = (await search(request, { store: store.search, embed: null })).hits;
    if (hit && recalls.every(({ hit: { turn } }) => turn.sessionId !== hit.turn.sessionId))
      recalls.push({ query, hit });
  }
  return recalls;
}

/** Returns real questions first, then titles and commit messages, then other prompts. */
function questionsFrom(sessions: readonly SessionSummary[], commits: readonly CommitSummary[]): string[] {
  const spread = spreadOut(sessions);
  const prompts = spread.flatMap(({ firstPrompt }) => questionOf(firstPrompt) ?? []);
  const isQuestion = (text: string) => /\?$|^(?:why|how|what|where|which|when)\b/i.test(text);
  const titles = spread.flatMap(({ title }) => questionOf(title) ?? []);
  const subjects = spreadOut(commits).flatMap(({ message }) => questionOf(message) ?? []);
  return [...new Set([...prompts.filter(isQuestion), ...titles, ...subjects, ...prompts])];
}

function spreadOut<T>(items: readonly T[]): T[] {
  const step = Math.max(1, Math.floor(items.length / PROOF.recalls));
  const order = items.map((item, at) => ({ item, rank: (at % step) * items.length + at }));
  return order.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}

/** Returns the start of a text as a question, cut at the end of a sentence. Null when it is too short to search for. */
function questionOf(text: string | null): string | null {
  const lines = (text ?? "").split("\n").map((line) => line.replace(/^[#>*\-\s]+|["`<>]/g, "").trim());
  const line = lines.find((one) => one !== "" && !one.endsWith(":")) ?? "";
  const [sentence = ""] = line.split(/(?<=[.?!])\s/);
  const words = sentence.split(/\s+/).filter((word) => !/^[/@]/.test(word));
  if (words.length < PROOF.minWords || words.length > PROOF.queryWords) return null;
  return words.join(" ").replace(/[.,:;]+$/, "");
}
