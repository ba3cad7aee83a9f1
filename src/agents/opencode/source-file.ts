import { basename, dirname, join } from "node:path";
import type { SourceFile } from "../agent.ts";
import { infoAt } from "./rows.ts";

/** Returns the ids in a path. For a session in a file, the file names its parent. */
export function sourceFile(path: string): SourceFile {
  const place = placeOf(path);
  if (place === null) return { sessionId: null, isNamed: false, agentId: null };
  const parentId = place.kind === "row" ? place.parentId : (infoAt(path)?.parentId ?? null);
  if (parentId === null) return { sessionId: place.sessionId, isNamed: true, agentId: null };
  return { sessionId: parentId, isNamed: false, agentId: place.sessionId };
}

/** The name may contain the channel of a release. */
const DATABASE = /^opencode(?:-[\w.-]+)?\.db$/;
const SESSION = /^ses_\w+$/;
const SESSION_FILE = /^(ses_\w+)\.json$/;

/** The place of a session of opencode. */
type Place =
  | { kind: "row"; database: string; sessionId: string; parentId: string | null }
  | { kind: "file"; storage: string; sessionId: string };

/** Returns the path of a session in a database: its id, below the id of its parent if it is a subagent. */
export function rowPath(database: string, sessionId: string, parentId: string | null): string {
  return parentId === null ? join(database, sessionId) : join(database, parentId, sessionId);
}

/**
 * Reads the path of a session: below a database, or `storage/session/<project>/<session>.json` of an older version. Null
 * for any other path.
 */
export function placeOf(path: string): Place | null {
  const [name, folder] = [basename(path), dirname(path)];
  const file = SESSION_FILE.exec(name)?.[1];
  if (file !== undefined) {
    const sessions = dirname(folder);
    return basename(sessions) === "session"
      ? { kind: "file", storage: dirname(sessions), sessionId: file }
      : null;
  }
  if (!SESSION.test(name)) return null;
  if (!SESSION.test(basename(folder)))
    return { kind: "row", database: folder, sessionId: name, parentId: null };
  return { kind: "row", database: dirname(folder), sessionId: name, parentId: basename(folder) };
}

/** True for the name of opencode's database. */
export function isDatabase(path: string): boolean {
  return DATABASE.test(basename(path));
}
