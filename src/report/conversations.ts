import type { Filter } from "../store/filter.ts";
import type { ExportStore } from "../store/store.ts";
import type { ExportedTurn } from "../store/stored.ts";

/** Turns to read from the database at a time. */
const PAGE = 100;

/** The turns of a session, in order of time. */
export interface SessionTurns {
  sessionId: string;
  turns: ExportedTurn[];
}

/** Reads the turns of sessions that fit, one session at a time, in the order asked for. The caller may stop at any of them. */
export async function* turnsBySession(
  exports: Pick<ExportStore, "turnIds" | "turns">,
  sessionIds: readonly string[],
  filter: Filter,
): AsyncIterable<SessionTurns> {
  for (const sessionId of sessionIds) {
    const ids = await exports.turnIds(sessionId, filter);
    const turns: ExportedTurn[] = [];
    for (let from = 0; from < ids.length; from += PAGE)
      turns.push(...(await exports.turns(ids.slice(from, from + PAGE))));
    yield { sessionId, turns };
  }
}
