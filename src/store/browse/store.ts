import type { Connection } from "../connection/connection.ts";
import type { BrowseStore } from "../store.ts";
import { activity, recalls } from "./activity.ts";
import { commits, prs } from "./commits.ts";
import { fileHistory } from "./file-history.ts";
import { files, filesOf, findPaths, sessionsOfTurns } from "./files.ts";
import { meanVector, resourceVector } from "./mean-vector.ts";
import { report } from "./report.ts";
import { session, sessions, summaries } from "./sessions.ts";
import { neighbours, recent, transcriptPlace, turnsOf } from "./turns.ts";

export function browseStore(connection: Connection): BrowseStore {
  return {
    sessions: async (filter, page) => connection.snapshot(() => sessions(connection, filter, page)),
    session: async (idOrPrefix) => session(connection, idOrPrefix),
    summaries: async (sessionIds) => summaries(connection, sessionIds),
    turnsOf: async (sessionId, filter) => connection.snapshot(() => turnsOf(connection, sessionId, filter)),
    neighbours: async (turnId, count) => connection.snapshot(() => neighbours(connection, turnId, count)),
    transcriptPlace: async (turnId) => transcriptPlace(connection, turnId),
    files: async (options) => connection.snapshot(() => files(connection, options)),
    findPaths: async (exact, suffix) => findPaths(connection, exact, suffix),
    fileHistory: async (path, options) => connection.snapshot(() => fileHistory(connection, path, options)),
    prs: async (options) => prs(connection, options),
    commits: async (options) => connection.snapshot(() => commits(connection, options)),
    recent: async (limit, filter) => connection.snapshot(() => recent(connection, limit, filter)),
    activity: async (filter) => connection.snapshot(() => activity(connection, filter)),
    recalls: async (range) => connection.snapshot(() => recalls(connection, range)),
    report: async (filter, busiest) => connection.snapshot(() => report(connection, filter, busiest)),
    meanVector: async (of) => meanVector(connection, of),
    resourceVector: async (resource) => resourceVector(connection, resource),
    sessionsOfTurns: async (turnIds) => sessionsOfTurns(connection, turnIds),
    filesOf: async (of) => filesOf(connection, of),
  };
}
