import { Database } from "bun:sqlite";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Filter } from "../../src/store/filter.ts";

/** Which part of a history is a colleague's, and whether hooks may tell it. */
export interface ForeignPart {
  /** Share of the sessions, in percent. */
  percent: number;
  /** `none` leaves out what is the colleague's. `alone` does so too, in a memory that never had it: what to compare with. */
  trust: "all" | "none" | "alone";
}

export const NOTHING_FOREIGN: ForeignPart = { percent: 0, trust: "all" };

/** Reads `--foreign 50 --trust none`. */
export function parseForeign({ foreign, trust }: { foreign: string; trust: string }): ForeignPart {
  const percent = Number(foreign);
  if (!(percent >= 0 && percent <= 100)) throw new Error(`--foreign: "${foreign}" is no percentage`);
  if (trust !== "all" && trust !== "none" && trust !== "alone")
    throw new Error("--trust: all, none or alone");
  return { percent, trust };
}

/** Parts a history: the colleague's sessions are the same in every run. */
export function partSessions<S extends { sessionId: string }>(
  sessions: readonly S[],
  { percent }: ForeignPart,
): { own: S[]; foreign: S[] } {
  const mixed = sessions.toSorted((a, b) => Bun.hash.xxHash32(a.sessionId) - Bun.hash.xxHash32(b.sessionId));
  const foreign = new Set(mixed.slice(0, Math.round((mixed.length * percent) / 100)));
  return { own: sessions.filter((session) => !foreign.has(session)), foreign: [...foreign] };
}

/** What may be told. */
export function filterOf({ trust }: ForeignPart): Pick<Filter, "others"> {
  return trust === "none" ? { others: [] } : {};
}

/**
 * Copies a memory and marks the turns of these transcripts as a pull stores them: with author, device, key and origin, and
 * without a place in a transcript. The rows keep their ids, so that nothing else differs. `remove` removes the copy.
 */
export function markedCopy(file: string, paths: readonly string[]): { file: string; remove: () => void } {
  const directory = mkdtempSync(join(tmpdir(), "mementor-foreign-"));
  const copy = join(directory, "mementor.db");
  copyFileSync(file, copy);
  const db = new Database(copy);
  db.query(
    `UPDATE turns SET author = 'colleague', device_id = '00000000-0000-4000-8000-000000000001',
       turn_key = CAST('turn ' || id AS BLOB), foreign_origin = 'team', source_id = NULL, line_index = NULL
     WHERE source_id IN (SELECT s.id FROM sources s WHERE s.path IN (SELECT value FROM json_each(?)))`,
  ).run(JSON.stringify(paths));
  db.close();
  return { file: copy, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
