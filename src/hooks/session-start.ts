import { currentBranch } from "../git/project.ts";
import { enqueueSearch } from "../project/queue.ts";
import { startWorker } from "../project/worker.ts";
import { workingState } from "../project/working-state.ts";
import { renderCompactNotes } from "../render/hooks/compact-notes.ts";
import { renderSessionDigest } from "../render/hooks/session-digest.ts";
import type { Runtime } from "../runtime.ts";
import { hiddenTurns } from "../search/hidden.ts";
import { trustedFilter } from "../search/trusted.ts";
import type { SessionSummary } from "../store/contract/types/browse.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import { type HookAnswer, type HookHandler, silent, withContext } from "./hook.ts";
import { memoryOf, reading, recorded } from "./memory.ts";

/** Notes after a compaction: number of turns to read, number of files to show. */
const COMPACT_NOTES = { turns: 6, files: 8 } as const;
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
    return config.recall.compact ? stateOf(sessionId, store) : null;
  });
  return withContext("SessionStart", state && renderCompactNotes(state, config.budgets.compact), memory);
}

/** A colleague's turn that carries the id of this session is no part of it. */
const OWN = { others: [] };

async function stateOf(sessionId: string, { browse, marks, search }: SqliteStore) {
  const hidden = await hiddenTurns(marks);
  const mainTurns = (await browse.turnsOf(sessionId, OWN)).filter(
    ({ turnId, agentId, role }) => agentId === null && role === "turn" && !hidden.has(turnId),
  );
  const last = mainTurns.slice(-COMPACT_NOTES.turns).reverse();
  const ids = last.map(({ turnId }) => turnId);
  const turns = await search.turns(ids);
  const order = new Map(last.map(({ turnId }, place) => [turnId, place]));
  const place = ({ turnId }: { turnId: number }) => order.get(turnId) ?? 0;
  const { files } = await search.recentResources(sessionId, {
    files: COMPACT_NOTES.files,
    urls: 0,
    except: hidden,
  });
  return workingState(
    turns.toSorted((a, b) => place(a) - place(b)),
    await browse.failures(ids),
    files,
  );
}

async function digest(sessionId: string | null, memory: Runtime): Promise<HookAnswer> {
  const { config } = await memory.config();
  if (!config.recall.startup) return silent("caught up", memory);
  const branch = currentBranch(memory.project);
  const found = await reading(memory, async (store) => {
    const trust = await trustedFilter(config, store);
    const filter = { ...trust, human: true as const, ...(branch !== null && { branch }) };
    const hidden = await hiddenTurns(store.marks);
    const { sessions } = await store.browse.sessions(filter, { limit: DIGEST_SESSIONS + 1 + hidden.size });
    const others = sessions.filter((session) => session.sessionId !== sessionId);
    return withoutHidden(others, hidden, store);
  });
  return withContext(
    "SessionStart",
    renderSessionDigest(branch, (found ?? []).slice(0, DIGEST_SESSIONS)),
    memory,
  );
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
