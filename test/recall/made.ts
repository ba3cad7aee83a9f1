import type { Candidate } from "../../src/recall/candidates.ts";
import type { Evidence } from "../../src/recall/evidence.ts";
import type { Scored } from "../../src/recall/fusion.ts";
import type { QueryParts } from "../../src/recall/query.ts";
import type { RecallStore } from "../../src/store/marks.ts";
import type { LocalSearchStore } from "../../src/store/store.ts";
import type { StoredTurn } from "../../src/store/stored.ts";
import { parseText } from "../../src/turn/grammar.ts";

export function aTurn(turn: Partial<StoredTurn> & { turnId: number }): StoredTurn {
  return {
    sessionId: `s${turn.turnId}`,
    client: "claude-code",
    agentId: null,
    lineIndex: turn.turnId,
    provisional: false,
    role: "turn",
    origin: "human",
    ...parseText(turn.text ?? `[User] prompt ${turn.turnId}\n\n[Assistant] answer ${turn.turnId}`),
    toolSummary: [],
    isSidechain: false,
    createdAt: `2026-03-0${1 + (turn.turnId % 9)}T10:00:00.000Z`,
    endedAt: null,
    branch: null,
    cwd: null,
    model: null,
    clientVersion: null,
    sessionTitle: null,
    foreign: null,
    author: null,
    ...turn,
  };
}

export function aCandidate(one: Partial<Candidate> & { turnId: number }): Candidate {
  return {
    sources: new Set(["vector"]),
    distance: null,
    plainDistance: null,
    secondDistance: null,
    nearestChunk: null,
    keywordChunk: null,
    chunkKeywords: 0,
    turnKeywords: 0,
    files: 0,
    references: 0,
    accessRank: null,
    shared: 0,
    ...one,
  };
}

export function aQuery(parts: Partial<QueryParts> = {}): QueryParts {
  return {
    text: "",
    terms: [],
    phrases: [],
    fileHints: [],
    references: { commits: [], prNumbers: [] },
    literals: { numbers: [], identifiers: [] },
    ...parts,
  };
}

const NO_EVIDENCE: Evidence = {
  distance: 0,
  secondDistance: 0,
  chunkKeywords: 0,
  turnKeywords: 0,
  promptWords: 0,
  promptPhrases: 0,
  passageWords: 0,
  numbers: 0,
  identifiers: 0,
  length: 0,
  file: 0,
  reference: 0,
  access: 0,
  shared: 0,
  recency: 0,
};

export function aScored(
  turn: StoredTurn,
  one: Partial<Candidate> = {},
  passage = "",
  ownPassage = passage,
): Scored {
  const candidate = aCandidate({ turnId: turn.turnId, ...one });
  return { turn, candidate, passage, ownPassage, score: 0, evidence: NO_EVIDENCE };
}

/** A store that finds nothing, but for what a test gives it. */
export function aStore(given: Partial<LocalSearchStore> = {}): LocalSearchStore {
  const store: LocalSearchStore = {
    snapshot: (work) => work(store, { neighbours: async () => ({ before: [], after: [] }) }),
    nearestChunks: async () => [],
    nearestDistance: async () => null,
    sampleDistances: async () => [],
    turnDistances: async () => [],
    chunkDistances: async () => [],
    termTurns: async () => new Map(),
    keywordChunks: async () => [],
    keywordTurns: async () => [],
    turnsByFile: async () => [],
    turnsByCommit: async () => [],
    turnsByPr: async () => [],
    turnsByTitle: async () => [],
    accessPattern: async () => null,
    nearestSessions: async () => [],
    resourceVector: async () => null,
    recentResources: async () => ({ files: [], urls: [] }),
    turns: async (ids) => ids.map((turnId) => aTurn({ turnId })),
    chunks: async () => [],
    totals: async () => ({ sessions: 1, turns: 100, notes: 0, chunks: 100, pendingChunks: 0 }),
    modelId: async () => null,
    ...given,
  };
  return store;
}

/** What is known of a session that has said nothing, in a memory without vectors. */
export function aRecallStore(given: Partial<RecallStore> = {}): RecallStore {
  return {
    latestTurns: async () => [],
    copiedTurns: async () => new Set<number>(),
    turnVectors: async () => [],
    readUntil: async () => 0,
    heldBefore: async () => ({ sessions: 0, turns: 0, since: null }),
    ...given,
  };
}
