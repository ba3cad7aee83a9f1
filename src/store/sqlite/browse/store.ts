import type { LocalBrowseStore } from "../../store.ts";
import type { Connection } from "../connection/connection.ts";
import { onSnapshot } from "../connection/connection.ts";

export function browseStore(connection: Connection): LocalBrowseStore {
  return onSnapshot<LocalBrowseStore>(connection, {
    sessions: async () => (await import("./turns.ts")).sessions,
    session: async () => (await import("./turns.ts")).findSession,
    summaries: async () => (await import("./turns.ts")).summaries,
    turnsOf: async () => (await import("./turns.ts")).turnsOf,
    neighbours: async () => (await import("./turns.ts")).neighbours,
    transcriptPlace: async () => (await import("./turns.ts")).transcriptPlace,
    files: async () => (await import("./files.ts")).files,
    findPaths: async () => (await import("./file-turns.ts")).findPaths,
    fileTurns: async () => (await import("./file-turns.ts")).fileTurns,
    fileHistory: async () => (await import("./files.ts")).fileHistory,
    prs: async () => (await import("./turns.ts")).prs,
    commits: async () => (await import("./turns.ts")).commits,
    recent: async () => (await import("./turns.ts")).recent,
    count: async () => (await import("./activity.ts")).count,
    branches: async () => (await import("./activity.ts")).branches,
    authors: async () => (await import("./activity.ts")).authors,
    activity: async () => (await import("./activity.ts")).activity,
    clients: async () => (await import("./activity.ts")).clients,
    asked: async () => (await import("./activity.ts")).asked,
    recalls: async () => (await import("./activity.ts")).recalls,
    report: async () => (await import("./activity.ts")).report,
    meanVector: async () => (await import("./activity.ts")).meanVector,
    sessionsOfTurns: async () => (await import("./files.ts")).sessionsOfTurns,
    filesOf: async () => (await import("./files.ts")).filesOf,
    outcomes: async () => (await import("./files.ts")).outcomes,
  });
}
