import type { BrowseStore } from "../../browse.ts";
import type { Query, TeamProject } from "../query.ts";
import * as files from "./files.ts";
import * as sessions from "./sessions.ts";
import * as turns from "./turns.ts";

const QUERIES: { [Name in keyof BrowseStore]: Query<BrowseStore[Name]> } = {
  ...files,
  ...sessions,
  ...turns,
};

/** Lists of a project of a team's database. */
export function browseStore(project: Pick<TeamProject, "read">): BrowseStore {
  const methods = Object.entries<Query<(...args: never[]) => Promise<unknown>>>(QUERIES).map(
    ([name, query]) => [name, (...args: never[]) => project.read((database) => query(database, ...args))],
  );
  return Object.fromEntries(methods);
}
