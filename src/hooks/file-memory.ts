import type { Config } from "../config/config.ts";
import { filePast } from "../project/file-past.ts";
import { renderFileMemory } from "../render/hooks/file-memory.ts";
import { hiddenTurns } from "../search/hidden.ts";
import { trustedFilter } from "../search/trusted.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";

/** Number of turns to read from the history of a file. */
const MAX_TURNS = 24;

interface FileRequest {
  /** As turns store it. */
  path: string;
  sessionId: string;
  event: string;
  config: Config;
}

/** The text about a file, and the turns that it names. */
interface FileMemory {
  text: string;
  turns: { turnId: number; passage: null }[];
}

/**
 * Returns what other sessions did with a file; null when there is nothing to tell, or this session was told since its
 * last compaction.
 */
export async function fileMemory(
  { path, sessionId, event, config }: FileRequest,
  store: SqliteStore,
): Promise<FileMemory | null> {
  const { browse, journal, marks } = store;
  if ((await journal.injectedSubjects(sessionId, event)).has(path)) return null;
  const hidden = await hiddenTurns(marks, { file: path });
  const limit = MAX_TURNS + hidden.size;
  // Resume and fork copy turns of other sessions into this one, where Claude still sees them.
  const filter = { ...(await trustedFilter(config, store)), inContext: { sessionId } };
  const history = await browse.fileHistory(path, { limit, exceptSessionId: sessionId, filter });
  const recalled = await journal.injectedTurns(sessionId);
  const touches = history
    .filter(({ turnId }) => !hidden.has(turnId))
    .slice(0, MAX_TURNS)
    .filter(({ turnId }) => !recalled.has(turnId));
  if (touches.length === 0) return null;
  const past = await filePast(path, touches, { ...store, hidden });
  const text = renderFileMemory({ path, touches, past }, config.budgets.file);
  return text === null ? null : { text, turns: touches.map(({ turnId }) => ({ turnId, passage: null })) };
}
