import type { AgentText } from "../render/agent-text.ts";
import type { Runtime } from "../runtime.ts";
import { type WorkingState, workingState } from "../search/working-state.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import { type HookAnswer, silent, withContext } from "./hook.ts";
import { untoldTurns } from "./untold.ts";

/** Number of turns to read, and of files to name. */
const READ = { turns: 6, files: 8 } as const;
/** A turn of a colleague or of an import that carries the id of this session is no part of it. */
const OWN = { others: [] };

/** Returns where a session's own work stands by its last turns. */
export async function sessionState(
  sessionId: string,
  memory: Runtime,
  store: SqliteStore,
): Promise<WorkingState> {
  const { browse, search } = store;
  const hidden = await untoldTurns(memory, store);
  const mainTurns = (await browse.turnsOf(sessionId, OWN)).filter(
    ({ turnId, agentId, role, foreign }) =>
      agentId === null && role === "turn" && foreign === null && !hidden.has(turnId),
  );
  const last = mainTurns.slice(-READ.turns).reverse();
  const ids = last.map(({ turnId }) => turnId);
  const turns = await search.turns(ids);
  const order = new Map(last.map(({ turnId }, place) => [turnId, place]));
  const place = ({ turnId }: { turnId: number }) => order.get(turnId) ?? 0;
  const { files } = await search.recentResources(sessionId, { files: READ.files, urls: 0, except: hidden });
  return workingState(
    turns.toSorted((a, b) => place(a) - place(b)),
    await browse.failures(ids),
    files,
  );
}

/**
 * Answers with what was rendered of a session's state, on the grounds of the turns that it quotes. They are of the asking
 * session itself, so no recall of other sessions counts them as told.
 */
export function stateAnswer(text: AgentText | null, state: WorkingState | null, memory: Runtime): HookAnswer {
  if (text === null || state === null) return silent("nothing", memory);
  const quotes = [...(state.failure ? [state.failure] : []), ...state.rules];
  const turnIds = new Set(quotes.map(({ turn }) => turn.turnId));
  const turns = [...turnIds].map((turnId) => ({ turnId, passage: null }));
  return withContext(text, memory, { prompt: null, turns, gate: null });
}
