import type { SQL } from "bun";
import type { BrowseStore } from "../../store.ts";
import { databaseOf, type Query, snapshot } from "../query.ts";

type Method = (...args: never[]) => Promise<unknown>;

/** Lists of a project of a team's database. The code of each is loaded at its first use. */
export function browseStore(sql: SQL, project: number): BrowseStore {
  /** One statement sees one view of the data by itself. */
  const single =
    <Of extends Method>(load: () => Promise<Query<Of>>) =>
    async (...args: Parameters<Of>): Promise<Awaited<ReturnType<Of>>> =>
      (await load())(databaseOf(sql, project), ...args);
  /** Several statements see the same view of the data. */
  const several =
    <Of extends Method>(load: () => Promise<Query<Of>>) =>
    async (...args: Parameters<Of>): Promise<Awaited<ReturnType<Of>>> => {
      const query = await load();
      return snapshot(sql, project, (database) => query(database, ...args));
    };
  return {
    sessions: several(async () => (await import("./sessions.ts")).sessions),
    session: several(async () => (await import("./sessions.ts")).session),
    summaries: single(async () => (await import("./sessions.ts")).summaries),
    turnsOf: several(async () => (await import("./turns.ts")).turnsOf),
    neighbours: several(async () => (await import("./turns.ts")).neighbours),
    transcriptPlace: single(async () => (await import("./turns.ts")).transcriptPlace),
    files: single(async () => (await import("./files.ts")).files),
    findPaths: several(async () => (await import("./files.ts")).findPaths),
    fileHistory: single(async () => (await import("./file-history.ts")).fileHistory),
    failures: single(async () => (await import("./failures.ts")).failures),
    laterCalls: single(async () => (await import("./failures.ts")).laterCalls),
    prs: single(async () => (await import("./commits.ts")).prs),
    commits: single(async () => (await import("./commits.ts")).commits),
    recent: several(async () => (await import("./turns.ts")).recent),
    count: single(async () => (await import("./count.ts")).count),
    branches: single(async () => (await import("./count.ts")).branches),
    activity: several(async () => (await import("./activity.ts")).activity),
    clients: single(async () => (await import("./activity.ts")).clients),
    recalls: single(async () => (await import("./activity.ts")).recalls),
    report: several(async () => (await import("./report.ts")).report),
    meanVector: single(async () => (await import("./mean-vector.ts")).meanVector),
    resourceVector: single(async () => (await import("./mean-vector.ts")).resourceVector),
    sessionsOfTurns: single(async () => (await import("./files.ts")).sessionsOfTurns),
    outcomes: single(async () => (await import("./files.ts")).outcomes),
    filesOf: single(async () => (await import("./files.ts")).filesOf),
  };
}
