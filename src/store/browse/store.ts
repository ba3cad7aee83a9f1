import type { Connection } from "../connection/connection.ts";
import { onSnapshot } from "../connection/query.ts";
import type { BrowseStore } from "../store.ts";
import { activity, clients, recalls } from "./activity.ts";
import { commits, prs } from "./commits.ts";
import { branches, count } from "./count.ts";
import { failures, laterCalls } from "./failures.ts";
import { fileHistory } from "./file-history.ts";
import { files, filesOf, findPaths, outcomes, sessionsOfTurns } from "./files.ts";
import { meanVector, resourceVector } from "./mean-vector.ts";
import { report } from "./report.ts";
import { session, sessions, summaries } from "./sessions.ts";
import { neighbours, recent, transcriptPlace, turnsOf } from "./turns.ts";

export function browseStore(connection: Connection): BrowseStore {
  return onSnapshot<BrowseStore>(connection, {
    sessions,
    session,
    summaries,
    turnsOf,
    neighbours,
    transcriptPlace,
    files,
    findPaths,
    fileHistory,
    failures,
    laterCalls,
    prs,
    commits,
    recent,
    count,
    branches,
    activity,
    clients,
    recalls,
    report,
    meanVector,
    resourceVector,
    sessionsOfTurns,
    filesOf,
    outcomes,
  });
}
