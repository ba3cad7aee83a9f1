import type { Connection } from "../connection/connection.ts";
import type { BrowseStore } from "../store.ts";
import { fileHistory } from "./file-history.ts";
import { files, filesOf, findPaths, sessionsOfTurns } from "./files.ts";
import { commits, prs } from "./history.ts";
import { report } from "./report.ts";
import { session, sessions, summaries } from "./sessions.ts";
import { activity, recalls } from "./stats.ts";
import { neighbours, recent, transcriptPlace, turnsOf } from "./turns.ts";
import { meanVector, resourceVector } from "./vectors.ts";

export function browseStore(c: Connection): BrowseStore {
  return {
    sessions: async (filter, page) => c.snapshot(() => sessions(c, filter, page)),
    session: async (idOrPrefix) => session(c, idOrPrefix),
    summaries: async (sessionIds) => summaries(c, sessionIds),
    turnsOf: async (sessionId) => c.snapshot(() => turnsOf(c, sessionId)),
    neighbours: async (turnId, count) => c.snapshot(() => neighbours(c, turnId, count)),
    transcriptPlace: async (turnId) => transcriptPlace(c, turnId),
    files: async (options) => c.snapshot(() => files(c, options)),
    findPaths: async (exact, suffix) => findPaths(c, exact, suffix),
    fileHistory: async (path, options) => c.snapshot(() => fileHistory(c, path, options)),
    prs: async (options) => prs(c, options),
    commits: async (options) => c.snapshot(() => commits(c, options)),
    recent: async (limit, filter) => c.snapshot(() => recent(c, limit, filter)),
    activity: async (range) => c.snapshot(() => activity(c, range)),
    recalls: async (range) => c.snapshot(() => recalls(c, range)),
    report: async (filter, busiest) => c.snapshot(() => report(c, filter, busiest)),
    meanVector: async (of) => meanVector(c, of),
    resourceVector: async (resource) => resourceVector(c, resource),
    sessionsOfTurns: async (turnIds) => sessionsOfTurns(c, turnIds),
    filesOf: async (of) => filesOf(c, of),
  };
}
