import { dirname } from "node:path";
import type { Agent } from "../agent.ts";
import { fileStamp } from "../files.ts";
import { filesStamp } from "./files.ts";
import { configDirectory, dataDirectory, namedDatabase } from "./home.ts";
import { isDatabase, placeOf, rowPath } from "./path.ts";
import { currentDatabase, discoverSessions, isTakenOver, projectSessions } from "./project-sessions.ts";
import { rowStamp } from "./rows.ts";
import { sourceFile } from "./source-file.ts";

/**
 * opencode: all sessions in one SQLite database, which opencode may be writing to; folders of JSON files in older
 * versions. A subagent is a session with a parent.
 */
export const opencode: Agent = {
  id: "opencode",
  home: configDirectory,
  resumeCommand: (sessionId) => ["opencode", "--session", sessionId],
  sessionFile: (sessionId, environment) => {
    const [root = "", id = null] = sessionId.split("/");
    const database = currentDatabase(environment);
    return id === null ? rowPath(database, root, null) : rowPath(database, id, root);
  },
  roots: (environment) => {
    const named = namedDatabase(environment);
    return [dataDirectory(environment), ...(named === null ? [] : [dirname(named)])];
  },
  owns: (path) => isDatabase(path) || placeOf(path) !== null,
  growth: () => "replaced",
  stampOf: (path) => {
    const place = placeOf(path);
    if (place === null) return fileStamp(path);
    if (place.kind === "row") return rowStamp(place.database, place.sessionId);
    return isTakenOver(path) ? null : filesStamp(path, place.storage, place.sessionId);
  },
  container: (path) => {
    const place = placeOf(path);
    return place?.kind === "row" ? place.database : path;
  },
  projectSessions,
  discover: discoverSessions,
  sourceOf: sourceFile,
  reader: async () => (await import("./reader.ts")).readOpencode,
};
