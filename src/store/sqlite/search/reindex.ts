import { isIndexedAnew, keywordText } from "../../../text/keywords.ts";
import { KEYWORDS_VERSION } from "../../../text/keywords-version.ts";
import type { WordStore } from "../../store.ts";
import type { Connection } from "../connection/connection.ts";
import { readMeta, removeMeta, writeMeta } from "../connection/connection.ts";
import { INDEXED } from "../connection/version.ts";

/** Number of turns in one step: a hook that writes waits no longer than for one. */
const STEP = 100;
/** How far the words of today have come, as `<version> <turn>`. */
const PROGRESS = "keywords_progress";

/** Indexes the words of a memory again that an older version indexed in another way. */
export function wordStore(connection: Connection): WordStore {
  return {
    async due() {
      if (readMeta(connection, INDEXED[0]) === INDEXED[1]) return null;
      const [version, after] = (readMeta(connection, PROGRESS) ?? "").split(" ");
      return Number(version) === KEYWORDS_VERSION ? Number(after) : 0;
    },
    index: async (after) => connection.transaction(() => step(connection, after)),
  };
}

/** Indexes one step and records the progress in one transaction, so that a killed process continues after it. */
function step(connection: Connection, after: number): { changed: number; next: number | null } {
  const turns = connection.all<{ id: number; text: string }>(
    "SELECT id, full_text AS text FROM turns WHERE id > ? ORDER BY id LIMIT ?",
    after,
    STEP,
  );
  const changed = turns.filter(({ text }) => isIndexedAnew(text));
  for (const { id, text } of changed) {
    indexAgain(connection, "turn_keywords", id, text);
    const chunks = connection.all<{ id: number; text: string }>(
      "SELECT id, content AS text FROM chunks WHERE turn_id = ?",
      id,
    );
    for (const chunk of chunks) indexAgain(connection, "chunk_keywords", chunk.id, chunk.text);
  }
  const next = turns.length < STEP ? null : (turns.at(-1)?.id ?? null);
  if (next === null) {
    removeMeta(connection, PROGRESS);
    writeMeta(connection, ...INDEXED);
  } else writeMeta(connection, PROGRESS, `${KEYWORDS_VERSION} ${next}`);
  return { changed: changed.length, next };
}

function indexAgain(connection: Connection, table: string, id: number, text: string): void {
  connection.run(`DELETE FROM ${table} WHERE rowid = ?`, id);
  connection.run(`INSERT INTO ${table} (rowid, text) VALUES (?, ?)`, id, keywordText(text));
}
