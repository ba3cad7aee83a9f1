import type { BrowseStore } from "../../store.ts";
import type { Query, TeamProject } from "../query.ts";

type Method = (...args: never[]) => Promise<unknown>;

/** Lists of a project of a team's database. The code of each is loaded at its first use. */
export function browseStore(project: Pick<TeamProject, "read">): BrowseStore {
  const query =
    <Of extends Method>(load: () => Promise<Query<Of>>) =>
    async (...args: Parameters<Of>): Promise<Awaited<ReturnType<Of>>> => {
      const run = await load();
      return project.read((database) => run(database, ...args));
    };
  return {
    sessions: query(async () => (await import("./sessions.ts")).sessions),
    session: query(async () => (await import("./sessions.ts")).session),
    summaries: query(async () => (await import("./sessions.ts")).summaries),
    turnsOf: query(async () => (await import("./turns.ts")).turnsOf),
    neighbours: query(async () => (await import("./turns.ts")).neighbours),
    files: query(async () => (await import("./files.ts")).files),
    findPaths: query(async () => (await import("./files.ts")).findPaths),
    fileHistory: query(async () => (await import("./file-history.ts")).fileHistory),
    prs: query(async () => (await import("./commits.ts")).prs),
    commits: query(async () => (await import("./commits.ts")).commits),
    recent: query(async () => (await import("./turns.ts")).recent),
    count: query(async () => (await import("./count.ts")).count),
    branches: query(async () => (await import("./count.ts")).branches),
    authors: query(async () => (await import("./count.ts")).authors),
    activity: query(async () => (await import("./activity.ts")).activity),
    clients: query(async () => (await import("./activity.ts")).clients),
    report: query(async () => (await import("./report.ts")).report),
    meanVector: query(async () => (await import("./mean-vector.ts")).meanVector),
    sessionsOfTurns: query(async () => (await import("./files.ts")).sessionsOfTurns),
    outcomes: query(async () => (await import("./files.ts")).outcomes),
    filesOf: query(async () => (await import("./files.ts")).filesOf),
  };
}
