import type { Runtime } from "../runtime.ts";
import { type WorkingState, workingState } from "../search/working-state.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
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
