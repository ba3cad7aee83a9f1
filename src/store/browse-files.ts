import type { FileSummary } from "./browse.ts";
import type { Connection } from "./connection.ts";

/** The newest so many turns are searched at once for the last touches of the busiest files. */
const NEWEST_TURNS = 1_000;

/** Returns the busiest files, of the whole project or below a directory. */
export function files(
  c: Connection,
  { limit, below = "" }: { limit: number; below?: string },
): FileSummary[] {
  const directory = below.replace(/\/+$/, "");
  const rows =
    directory === ""
      ? c.all<TouchesRow>(BUSIEST("1"), limit)
      : c.all<TouchesRow>(
          BUSIEST("file_path >= ?2 AND file_path < ?3"),
          limit,
          `${directory}/`,
          `${directory}0`,
        );
  const times = lastTimes(
    c,
    rows.map((row) => row.path),
  );
  return rows.map((row) => ({ ...row, lastTime: times.get(row.path) ?? null }));
}

type TouchesRow = Omit<FileSummary, "lastTime">;

const BUSIEST = (condition: string) => `SELECT file_path AS path, touches, changes FROM file_totals
  WHERE ${condition} AND instr(file_path, '://') = 0 ORDER BY touches DESC, file_path LIMIT ?1`;

function lastTimes(c: Connection, paths: readonly string[]): Map<string, string | null> {
  const times = new Map<string, string | null>(
    c
      .all<{ path: string; time: string }>(AMONG_NEWEST, JSON.stringify(paths), NEWEST_TURNS)
      .map((row) => [row.path, row.time]),
  );
  for (const path of paths) {
    if (!times.has(path)) times.set(path, c.get<{ time: string | null }>(LAST, path)?.time ?? null);
  }
  return times;
}

const AMONG_NEWEST = `SELECT m.file_path AS path, max(t.created_at) AS time
  FROM (SELECT id, created_at FROM turns WHERE created_at IS NOT NULL ORDER BY created_at DESC LIMIT ?2) t
  CROSS JOIN file_mentions m ON m.turn_id = t.id
  WHERE +m.file_path IN (SELECT value FROM json_each(?1)) GROUP BY m.file_path`;

// The plus makes SQLite walk the times from the newest instead of looking up each turn.
const LAST = `SELECT t.created_at AS time FROM turns t
  WHERE +t.id IN (SELECT turn_id FROM file_mentions WHERE file_path = ?) ORDER BY t.created_at DESC LIMIT 1`;

/** Returns the first of `exact` that is known, or else all paths that end in `suffix`, the most touched first. */
export function findPaths(c: Connection, exact: readonly string[], suffix: string): string[] {
  for (const path of exact) {
    if (c.get("SELECT 1 FROM file_mentions WHERE file_path = ? LIMIT 1", path) !== null) return [path];
  }
  const name = suffix.slice(suffix.lastIndexOf("/") + 1);
  return c
    .all<{ path: string }>(
      `SELECT file_path AS path FROM file_mentions WHERE file_name = ?1
         AND (file_path = ?2 OR substr(file_path, -length(?2) - 1) = '/' || ?2)
       GROUP BY file_path ORDER BY count(*) DESC, file_path`,
      name,
      suffix,
    )
    .map((row) => row.path);
}

/** Returns the files that a session or a turn touched, without web addresses. */
export function filesOf(c: Connection, of: { turnId: number } | { sessionId: string }): string[] {
  const [column, value] = "turnId" in of ? ["t.id", of.turnId] : ["t.session_id", of.sessionId];
  return c
    .all<{ path: string }>(
      `SELECT DISTINCT m.file_path AS path FROM turns t CROSS JOIN file_mentions m ON m.turn_id = t.id
       WHERE ${column} = ? AND instr(m.file_path, '://') = 0 ORDER BY m.file_path`,
      value,
    )
    .map((row) => row.path);
}
