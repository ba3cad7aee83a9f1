import { basename, dirname, join } from "node:path";
import { asString, parseObject } from "../../io/json.ts";
import { readIfExists, realPathIfExists, statIfExists } from "../../io/read.ts";
import type { Agent, Environment, SessionQuery, SourceFile } from "../agent.ts";
import { absolutePath, fileStamp, filesBelow, listEntries, readStats } from "../files.ts";
import { worktreesOf } from "../membership.ts";
import {
  conversationStamp,
  databasesBelow,
  editorPath,
  findParent,
  isEditorDatabase,
  listConversations,
  type Place,
  parsePlace,
  projectFolder,
} from "./editor.ts";
import { cursorHooks } from "./hooks.ts";
import { readSidecar, storeStamp } from "./store.ts";

/**
 * Cursor: the editor keeps conversations in SQLite databases, and its command line one database per session. Both also write
 * transcripts, which are less complete. Cursor may be writing to all of them.
 */
export const cursor: Agent = {
  id: "cursor",
  home: cursorDirectory,
  hooks: cursorHooks((sessionId, environment) => {
    const source = fullestForm(sessionId, environment);
    return cursor.stampOf(source) === null ? null : source;
  }),
  roots: (environment) => [
    editorDirectory(environment),
    ...["chats", "projects"].map((name) => join(cursorDirectory(environment), name)),
  ],
  owns: (path) => isEditorDatabase(path) || parsePlace(path) !== null,
  growth: (path) => (parsePlace(path)?.kind === "transcript" ? "appended" : "replaced"),
  stampOf: (path) => {
    const place = parsePlace(path);
    if (place?.kind === "editor") return conversationStamp(place.database, place.id);
    if (place?.kind === "store") return storeStamp(path);
    return isTakenOver(path) ? null : fileStamp(path);
  },
  container: (path) => (parsePlace(path)?.kind === "editor" ? dirname(path) : path),
  startedIn: (path) => {
    const place = parsePlace(path);
    if (place?.kind === "editor")
      return listConversations(place.database)?.find(({ id }) => id === place.id)?.cwd ?? null;
    if (place?.kind === "store") return readSidecar(path).cwd;
    return place === null ? null : directoryOf(path);
  },
  projectSessions,
  discover: discoverSessions,
  sourceOf: sourceFile,
  async reader() {
    const { readCursor } = await import("./reader.ts");
    return (path, options) => readCursor(path, directoryOf, options);
  },
};

function sourceFile(path: string): SourceFile {
  const place = parsePlace(path);
  if (place === null) return { sessionId: null, isNamed: false, agentId: null };
  if (place.kind === "store") return { sessionId: place.sessionId, isNamed: true, agentId: null };
  if (place.kind === "transcript")
    return { sessionId: place.sessionId, isNamed: place.agentId === null, agentId: place.agentId };
  const parentId = findParent(place.database, place.id);
  if (parentId === null) return { sessionId: place.id, isNamed: true, agentId: null };
  return { sessionId: parentId, isNamed: false, agentId: place.id };
}

/** Finds the conversations of a project, each in the most complete form that Cursor wrote. */
export function projectSessions({ project, environment, belongs, isWanted }: SessionQuery): string[] {
  const roots = worktreesOf(project);
  const cursor = cursorDirectory(environment);
  const editor = databasesBelow(editorDirectory(environment)).flatMap((database) =>
    listed(database, belongs),
  );
  const known = new Set(editor.map((path) => basename(path)));
  const stores = storesBelow(join(cursor, "chats"), new Set(roots.map(md5)), belongs);
  const transcripts = transcriptsBelow(join(cursor, "projects"), new Set(roots.map(folderName)), belongs);
  const isNew = (path: string) => {
    const place = parsePlace(path);
    return place?.kind !== "editor" && !known.has(place?.sessionId ?? "") && !isTakenOver(path);
  };
  return [...editor, ...[...stores, ...transcripts].filter(isNew)].filter(isWanted);
}

/**
 * Returns the conversations of a database of the editor. An unreadable database counts as one, so that its reader reports the
 * reason.
 */
function listed(database: string, belongs: (cwd: string) => boolean): string[] {
  const conversations = listConversations(database);
  if (conversations === null) return [database];
  return conversations
    .filter(({ cwd }) => cwd !== null && belongs(cwd))
    .map(({ id }) => editorPath(database, id));
}

/**
 * Returns the databases of sessions. The folder is named after the MD5 of their directory; newer versions record the directory,
 * too.
 */
function storesBelow(chats: string, names: ReadonlySet<string>, belongs: (cwd: string) => boolean): string[] {
  return listEntries(chats).flatMap((folder) =>
    listEntries(join(chats, folder.name))
      .map(({ name }) => join(chats, folder.name, name, "store.db"))
      .filter((store) => parsePlace(store) !== null && fileStamp(store) !== null)
      .filter((store) => {
        if (names.has(folder.name)) return true;
        const { cwd } = readSidecar(store);
        return cwd !== null && belongs(cwd);
      }),
  );
}

function transcriptsBelow(
  projects: string,
  names: ReadonlySet<string>,
  belongs: (cwd: string) => boolean,
): string[] {
  return listEntries(projects).flatMap((folder) => {
    const files = transcriptsIn(join(projects, folder.name, "agent-transcripts"));
    const [first] = files;
    if (first === undefined) return [];
    const [cwd, another] = directoriesOf(first);
    if (another !== undefined) return [];
    return (cwd === undefined ? names.has(folder.name) : belongs(cwd)) ? files : [];
  });
}

/** Returns the transcripts in a folder, each before its subagents. */
function transcriptsIn(folder: string): string[] {
  return listEntries(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return parsePlace(path) === null ? [] : [path];
    const own = join(path, `${entry.name}.jsonl`);
    const subagents = listEntries(join(path, "subagents")).map(({ name }) => join(path, "subagents", name));
    return [own, ...subagents].filter((file) => parsePlace(file) !== null && fileStamp(file) !== null);
  });
}

/** Tells whether a transcript's session has a database of its own, which is more complete. */
function isTakenOver(path: string): boolean {
  const place = parsePlace(path);
  return (
    place?.kind === "transcript" &&
    place.agentId === null &&
    storeOf(cursorOf(path), place.sessionId) !== null
  );
}

/** Returns the most complete form of a conversation. Its database may appear later than a hook's call. */
function fullestForm(sessionId: string, environment: Environment): string {
  const row = editorPath(join(editorDirectory(environment), "globalStorage", "state.vscdb"), sessionId);
  const place = parsePlace(row);
  const isThere = place?.kind === "editor" && conversationStamp(place.database, place.id) !== null;
  return isThere ? row : (storeOf(cursorDirectory(environment), sessionId) ?? row);
}

function md5(text: string): string {
  return new Bun.CryptoHasher("md5").update(text).digest("hex");
}

/** Finds the conversations at a path: a single one, those of a database, or those of all databases and files below a folder. */
export async function* discoverSessions(path: string): AsyncIterable<string> {
  const place = parsePlace(path);
  if (place?.kind === "editor" && conversationStamp(place.database, place.id) !== null) {
    yield path;
    return;
  }
  readStats(path);
  for await (const found of filesBelow(path, (file) => isEditorDatabase(file) || isFile(parsePlace(file)))) {
    if (isEditorDatabase(found)) yield* listed(found, () => true);
    else if (found === path || !isTakenOver(found)) yield found;
  }
}

function isFile(place: Place | null): boolean {
  return place !== null && place.kind !== "editor";
}

/** Returns the directory of Cursor's command line with its hooks: `~/.cursor`. */
function cursorDirectory({ env, homeDir }: Pick<Environment, "env" | "homeDir">): string {
  return absolutePath(env.CURSOR_CONFIG_DIR) ?? join(homeDir, ".cursor");
}

/** Returns the directory in which the editor keeps its databases. */
function editorDirectory({ env, homeDir, platform }: Environment): string {
  return join(applicationData(env, homeDir, platform), "Cursor", "User");
}

function applicationData(env: Environment["env"], homeDir: string, platform: NodeJS.Platform): string {
  if (platform === "darwin") return join(homeDir, "Library", "Application Support");
  if (platform === "win32") return absolutePath(env.APPDATA) ?? join(homeDir, "AppData", "Roaming");
  return absolutePath(env.XDG_CONFIG_HOME) ?? join(homeDir, ".config");
}

/** Returns the name of a project's folder: its directory with every character except letters and digits replaced by a hyphen. */
function folderName(directory: string): string {
  return directory.replace(/^[/\\]+/, "").replace(/[^A-Za-z0-9]+/g, "-");
}

/** Returns the directory of a transcript; null when unknown. */
function directoryOf(transcript: string): string | null {
  const [cwd = null, another] = directoriesOf(transcript);
  return another === undefined ? cwd : null;
}

/**
 * Returns the possible directories of a transcript. Its records name none, so a file in the project's folder counts, or else all
 * existing directories that match the folder's name. If several match, an archive may have created one of them, so the caller
 * accepts none.
 */
function directoriesOf(transcript: string): string[] {
  const folder = projectFolder(transcript);
  const trusted = parseObject(readIfExists(join(folder, ".workspace-trusted")) ?? "");
  const named = absolutePath(asString(trusted?.workspacePath) ?? undefined);
  if (named !== null) return [named];
  return [...new Set(existing("/", basename(folder)).map((path) => realPathIfExists(path) ?? path))];
}

/** Finds the directories below another one that match a folder's name. Hyphens stand for separators and for themselves. */
function existing(parent: string, name: string): string[] {
  return listEntries(parent).flatMap((entry) => {
    const part = folderName(entry.name);
    if (part === "" || !entry.isDirectory()) return [];
    const path = join(parent, entry.name);
    if (part === name) return [path];
    return name.startsWith(`${part}-`) ? existing(path, name.slice(part.length + 1)) : [];
  });
}

/** Returns Cursor's directory of a transcript, which contains `projects`. */
function cursorOf(transcript: string): string {
  return dirname(dirname(projectFolder(transcript)));
}

/** Returns the database of a session of the command line, which also has the results of tools; null when there is none. */
function storeOf(cursor: string, sessionId: string): string | null {
  const chats = join(cursor, "chats");
  const stores = listEntries(chats).map(({ name }) => join(chats, name, sessionId, "store.db"));
  return stores.find((store) => statIfExists(store)?.isFile() === true) ?? null;
}
