import { dirname, join } from "node:path";
import { statIfExists } from "../../io/read.ts";
import type { Agent, Environment, SessionQuery } from "../agent.ts";
import { recordReader } from "../conversation.ts";
import { absolutePath, fileStamp, filesBelow, listEntries, readStats } from "../files.ts";
import {
  filesStamp,
  isDatabase,
  listSessions,
  placeOf,
  readSessionInfo,
  rowPath,
  rowStamp,
  type SessionInfo,
  sourceFile,
} from "./rows.ts";

/** Returns opencode's data directory, which is the same on every platform. */
function dataDirectory({ env, homeDir }: Pick<Environment, "env" | "homeDir">): string {
  return join(absolutePath(env.XDG_DATA_HOME) ?? join(homeDir, ".local", "share"), "opencode");
}

/** Returns the database in `OPENCODE_DB`, relative to the data directory; null when the variable is not set. */
function namedDatabase(environment: Pick<Environment, "env" | "homeDir">): string | null {
  const given = environment.env.OPENCODE_DB;
  if (given === undefined || given === "" || given === ":memory:") return null;
  return absolutePath(given) ?? join(dataDirectory(environment), given);
}

/** Returns the directory of the user's settings of opencode. */
function configDirectory({ env, homeDir }: Pick<Environment, "env" | "homeDir">): string {
  return join(absolutePath(env.XDG_CONFIG_HOME) ?? join(homeDir, ".config"), "opencode");
}

/** Finds the sessions of a project, each before its subagents. Prefers a database over files. */
function projectSessions({ environment, belongs, isWanted }: SessionQuery): string[] {
  const directory = dataDirectory(environment);
  const named = namedDatabase(environment);
  const databases = new Set([...databasesIn(directory), ...(named === null ? [] : [named])]);
  const isOurs = ({ directory: cwd }: SessionInfo) => cwd !== null && belongs(cwd);
  const rows = [...databases].flatMap((database) => pathsOf(database, isOurs));
  const files = sessionFiles(join(directory, "storage")).filter((file) => {
    const info = readSessionInfo(file);
    return info !== null && isOurs(info) && !isTakenOver(file);
  });
  return [...rows, ...files].filter(isWanted);
}

/** Returns the database that opencode writes to: the named one, else the one changed last. */
function currentDatabase(environment: Environment): string {
  const directory = dataDirectory(environment);
  const changed = (database: string) =>
    Math.max(...[database, `${database}-wal`].map((file) => statIfExists(file)?.mtimeMs ?? 0));
  const [latest] = databasesIn(directory).sort((a, b) => changed(b) - changed(a));
  return namedDatabase(environment) ?? latest ?? join(directory, "opencode.db");
}

/** Finds the sessions at a path: one session, those of a database, or those of all databases and files below a folder. */
async function* discoverSessions(path: string): AsyncIterable<string> {
  const place = placeOf(path);
  if (place?.kind === "row" && rowStamp(place.database, place.sessionId) !== null) {
    yield path;
    return;
  }
  readStats(path);
  const isOne = place?.kind === "file";
  for await (const found of filesBelow(path, (file) => isDatabase(file) || placeOf(file)?.kind === "file")) {
    if (isDatabase(found)) yield* pathsOf(found, () => true);
    else if (isOne || !isTakenOver(found)) yield found;
  }
}

/** Tells whether the session of a file is also in a database. Newer versions copy files and keep them. */
function isTakenOver(file: string): boolean {
  const place = placeOf(file);
  if (place?.kind !== "file") return false;
  return databasesIn(dirname(place.storage)).some((database) => rowStamp(database, place.sessionId) !== null);
}

function databasesIn(directory: string): string[] {
  return listEntries(directory)
    .filter((entry) => entry.isFile() && isDatabase(entry.name))
    .map(({ name }) => join(directory, name));
}

/**
 * Returns the wanted sessions of a database, each followed by its subagents. An unreadable database counts as one, so that its
 * reader reports the reason.
 */
function pathsOf(database: string, isWanted: (info: SessionInfo) => boolean): string[] {
  const infos = listSessions(database);
  if (infos === null) return [database];
  const roots = rootsOf(new Map(infos.map(({ id, parentId }) => [id, parentId])));
  const byRoot = Map.groupBy(infos, ({ id }) => roots.get(id) ?? id);
  return [...byRoot].flatMap(([root, members]) =>
    members.filter(isWanted).map(({ id }) => rowPath(database, id, id === root ? null : root)),
  );
}

/** Returns the root session of each session. In a cycle of sessions that start each other, one counts as the root. */
function rootsOf(parents: ReadonlyMap<string, string | null>): Map<string, string> {
  const roots = new Map<string, string>();
  for (const id of parents.keys()) {
    const way = new Set<string>();
    let at = id;
    for (let parent = parents.get(at) ?? null; parent !== null && !roots.has(at) && !way.has(at); ) {
      way.add(at);
      at = parent;
      parent = parents.get(at) ?? null;
    }
    const root = roots.get(at) ?? at;
    for (const each of [...way, at]) roots.set(each, root);
  }
  return roots;
}

function sessionFiles(storage: string): string[] {
  const sessions = join(storage, "session");
  const files = listEntries(sessions).flatMap((folder) =>
    folder.isDirectory()
      ? listEntries(join(sessions, folder.name)).map(({ name }) => join(sessions, folder.name, name))
      : [],
  );
  // Newer ids sort first, so that a session comes before its subagents.
  return files.filter((file) => placeOf(file) !== null).reverse();
}

/**
 * opencode: all sessions in one SQLite database, which opencode may be writing to; folders of JSON files in older versions. A
 * subagent is a session with a parent.
 */
export const opencode: Agent = {
  id: "opencode",
  home: configDirectory,
  resumeCommand: (sessionId) => ["opencode", "--session", sessionId],
  hooks: {
    // Its plugin does not know where a session is stored.
    normalize({ session_id: session, agent_id: agentId }, environment) {
      if (session === null) return {};
      const database = currentDatabase(environment);
      return agentId === null
        ? { transcript_path: rowPath(database, session, null) }
        : { agent_transcript_path: rowPath(database, agentId, session) };
    },
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
  reader: async () => recordReader((await import("./reader.ts")).openSession),
};
