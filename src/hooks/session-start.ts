import { currentBranch } from "../git/project.ts";
import { enqueueSearch } from "../project/queue.ts";
import { startWorker } from "../project/worker.ts";
import { renderCompactNotes } from "../render/hooks/compact-notes.ts";
import { renderSessionDigest } from "../render/hooks/session-digest.ts";
import type { Runtime } from "../runtime.ts";
import { trustedFilter } from "../search/trusted.ts";
import type { SessionSummary } from "../store/contract/types/browse.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import { type HookAnswer, type HookHandler, silent, withContext } from "./hook.ts";
import { memoryOf, reading, recorded } from "./memory.ts";
import { sessionState, stateAnswer } from "./session-state.ts";
import { untoldTurns } from "./untold.ts";

/** Number of sessions in the digest. */
const DIGEST_SESSIONS = 3;

/**
 * SessionStart: after a compaction, shows what the summary has probably lost. Otherwise starts a worker that reads
 * transcripts that no hook has queued, and shows a digest of the last sessions if the configuration asks for it.
 */
export const sessionStart: HookHandler = async ({ payload, host }) => {
  const memory = await memoryOf(host, payload);
  const directory = memory?.memory.directory;
  if (!memory || !directory) return silent("off");
  if (payload.source === "compact") return afterCompaction(payload.session_id, memory);
  enqueueSearch(directory);
  startWorker(host, memory.project.root);
  return digest(payload.session_id, memory);
};

async function afterCompaction(sessionId: string | null, memory: Runtime): Promise<HookAnswer> {
  if (sessionId === null) return silent("no session", memory);
  const { config } = await memory.config();
  const state = await reading(memory, async (store, write) => {
    await recorded(
      memory,
      write(({ journal }) => journal.confirmCompaction(sessionId)),
    );
    return config.recall.compact ? sessionState(sessionId, memory, store) : null;
  });
  return stateAnswer(state && renderCompactNotes(state, config.budgets.compact), state, memory);
}

async function digest(sessionId: string | null, memory: Runtime): Promise<HookAnswer> {
  const { config } = await memory.config();
  if (!config.recall.startup) return silent("caught up", memory);
  const branch = currentBranch(memory.project);
  const found = await reading(memory, async (store) => {
    const trust = await trustedFilter(config, store);
    const filter = { ...trust, human: true as const, ...(branch !== null && { branch }) };
    const hidden = await untoldTurns(memory, store);
    const { sessions } = await store.browse.sessions(filter, { limit: DIGEST_SESSIONS + 1 + hidden.size });
    const others = sessions.filter((session) => session.sessionId !== sessionId);
    return withoutHidden(others, hidden, store);
  });
  return withContext(renderSessionDigest(branch, (found ?? []).slice(0, DIGEST_SESSIONS)), memory);
}

/** Leaves out sessions in which every turn is hidden. */
async function withoutHidden(
  sessions: SessionSummary[],
  hidden: ReadonlySet<number>,
  { browse }: SqliteStore,
): Promise<SessionSummary[]> {
  if (hidden.size === 0) return sessions;
  const shown = sessions.map(async ({ sessionId }) =>
    (await browse.turnsOf(sessionId)).some(({ turnId }) => !hidden.has(turnId)),
  );
  const isShown = await Promise.all(shown);
  return sessions.filter((_, at) => isShown[at]);
}
