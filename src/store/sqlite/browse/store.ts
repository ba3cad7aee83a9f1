import type { LocalBrowseStore } from "../../store.ts";
import type { Connection } from "../connection/connection.ts";
import { onSnapshot } from "../connection/query.ts";

export function browseStore(connection: Connection): LocalBrowseStore {
  return onSnapshot<LocalBrowseStore>(connection, {
    sessions: async () => (await import("./sessions.ts")).sessions,
    session: async () => (await import("./sessions.ts")).session,
    summaries: async () => (await import("./sessions.ts")).summaries,
    turnsOf: async () => (await import("./turns.ts")).turnsOf,
    neighbours: async () => (await import("./turns.ts")).neighbours,
    transcriptPlace: async () => (await import("./turns.ts")).transcriptPlace,
    files: async () => (await import("./files.ts")).files,
    findPaths: async () => (await import("./find-paths.ts")).findPaths,
    fileHistory: async () => (await import("./file-history.ts")).fileHistory,
    failures: async () => (await import("./failures.ts")).failures,
    laterCalls: async () => (await import("./failures.ts")).laterCalls,
    prs: async () => (await import("./commits.ts")).prs,
    commits: async () => (await import("./commits.ts")).commits,
    recent: async () => (await import("./turns.ts")).recent,
    count: async () => (await import("./count.ts")).count,
    branches: async () => (await import("./count.ts")).branches,
    authors: async () => (await import("./count.ts")).authors,
    activity: async () => (await import("./activity.ts")).activity,
    clients: async () => (await import("./activity.ts")).clients,
    asked: async () => (await import("./asked.ts")).asked,
    recalls: async () => (await import("./activity.ts")).recalls,
    report: async () => (await import("./report.ts")).report,
    meanVector: async () => (await import("./mean-vector.ts")).meanVector,
    sessionsOfTurns: async () => (await import("./files.ts")).sessionsOfTurns,
    filesOf: async () => (await import("./files.ts")).filesOf,
    outcomes: async () => (await import("./files.ts")).outcomes,
  });
}
