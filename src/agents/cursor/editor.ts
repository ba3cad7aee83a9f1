import type { Database } from "bun:sqlite";
import { basename, dirname, join, resolve } from "node:path";
import { MementorError } from "../../errors.ts";
import { findProject } from "../../io/git/project.ts";
import { asNumber, asObject, asObjects, asString, type JsonObject, parseObject } from "../../io/json.ts";
import { readIfExists, realPathIfExists, statIfExists } from "../../io/read.ts";
import { SYSTEM } from "../../io/system.ts";
import type { SourceStamp } from "../agent.ts";
import { absolutePath, fileStamp, listEntries, readHead } from "../files.ts";
import { isReadable, queryRows, readDatabase, tryDatabase } from "../foreign-database.ts";
import { type Composer, hasTable, readComposer, readItem, readTabs } from "./composer.ts";

/** The facts about a conversation in a list. */
export interface ConversationFacts {
  id: string;
  /** Directory of its window; null when unknown. */
  cwd: string | null;
  /** The conversation that started it as a subagent. */
  parentId: string | null;
}

/** Lists the existing databases of the editor: the one of all windows, and those of opened folders. */
export function databasesBelow(user: string): string[] {
  const folders = listEntries(join(user, "workspaceStorage")).map(({ name }) =>
    join(user, "workspaceStorage", name),
  );
  return [join(user, "globalStorage"), ...folders]
    .map((folder) => join(folder, "state.vscdb"))
    .filter((file) => fileStamp(file) !== null);
}

/** Lists the conversations of a database, parents first; null when it cannot be read. */
export function listConversations(database: string): ConversationFacts[] | null {
  const folder = folderOf(database);
  return tryDatabase(database, (db) => {
    if (!hasTable(db, "ItemTable") && !hasTable(db, "cursorDiskKV")) return null;
    const tabs = readTabs(db).map(({ tabId }) => ({ id: String(tabId), cwd: folder, parentId: null }));
    const composers = hasTable(db, "cursorDiskKV") ? composersIn(db, database) : [];
    return [...tabs, ...composers].sort((a, b) => Number(a.parentId !== null) - Number(b.parentId !== null));
  });
}

const LIST = `
  SELECT substr(key, 14) AS id, value -> '$.workspaceIdentifier' AS workspace, value -> '$.subagentInfo' AS parent,
    (SELECT value ->> '$.workspaceProjectDir' FROM cursorDiskKV
     WHERE key >= 'bubbleId:' || substr(c.key, 14) || ':' AND key < 'bubbleId:' || substr(c.key, 14) || ';'
       AND ${isReadable("value")} AND json_valid(value) AND value ->> '$.workspaceProjectDir' <> '' LIMIT 1) AS directory
  FROM (SELECT key, CAST(value AS TEXT) AS value FROM cursorDiskKV
        WHERE key >= 'composerData:' AND key < 'composerData;' AND ${isReadable("value")} AND json_valid(CAST(value AS TEXT))) c
  WHERE coalesce(value ->> '$.isDraft', 0) = 0 ORDER BY key`;

function composersIn(db: Database, database: string): ConversationFacts[] {
  const rows = [...queryRows(db, LIST)];
  const opened = rows.length === 0 ? new Map<string, string>() : openedIn(userOf(database));
  return rows.flatMap(({ id, workspace, parent, directory }) => {
    const known = asString(id);
    if (known === null) return [];
    const named = parseObject(asString(workspace) ?? "") ?? {};
    const cwd =
      directoryOf(named, database) ?? opened.get(known) ?? absolutePath(asString(directory) ?? undefined);
    return {
      id: known,
      cwd: cwd ?? folderById(database, named),
      parentId: parentIn(parseObject(asString(parent) ?? "")),
    };
  });
}

/** Returns the directory of a conversation's window, which versions from 3.12 on record. */
function directoryOf({ uri, configPath }: JsonObject, database: string): string | null {
  return pathOf(addressOf(uri)) ?? directoryOfWorkspace(pathOf(addressOf(configPath)), database);
}

function addressOf(uri: unknown): string | null {
  const fields = asObject(uri);
  return asString(uri) ?? asString(fields?.fsPath) ?? asString(fields?.path) ?? asString(fields?.external);
}

/**
 * Returns the directory of a window on a `.code-workspace`. Cursor's agents work in its first folder, but a clone can contain
 * such a file and name any folder. So its folder counts only if Cursor created the file, or if the user's own file is outside all
 * repositories and the folder is below it; otherwise the directory of the file counts.
 */
function directoryOfWorkspace(file: string | null, database: string): string | null {
  if (file === null) return null;
  const here = dirname(file);
  const isCursors = SYSTEM.isWithin(file, join(dirname(userOf(database)), "Workspaces"));
  if (!isCursors && findProject(here).isGit) return here;
  const stats = statIfExists(file);
  if (!stats?.isFile()) return null;
  const first = firstFolderIn(file);
  if (isCursors || first === null) return first;
  const isUsers = stats.uid === statIfExists(database)?.uid;
  const [inner, outer] = [first, here].map((path) => realPathIfExists(path) ?? path);
  return isUsers && SYSTEM.isWithin(inner ?? first, outer ?? here) ? first : here;
}

function firstFolderIn(file: string): string | null {
  const [first] = asObjects(workspaceIn(readHead(file, MAX_WORKSPACE_BYTES))?.folders);
  const path = asString(first?.path);
  return path === null ? pathOf(asString(first?.uri)) : resolve(dirname(file), path);
}

/** Returns the directory `User` of a database of the editor, which lies in `globalStorage` or `workspaceStorage/<id>`. */
function userOf(database: string): string {
  const storage = dirname(database);
  return dirname(basename(storage) === "globalStorage" ? storage : dirname(storage));
}

/** Maximum size of a workspace file. */
const MAX_WORKSPACE_BYTES = 1 << 20;

/** Parses a workspace file. People write these by hand, with comments and trailing commas. */
function workspaceIn(text: string): JsonObject | null {
  try {
    return asObject(Bun.JSONC.parse(text));
  } catch {
    return null;
  }
}

function folderById(database: string, { id }: JsonObject): string | null {
  const storage = join(userOf(database), "workspaceStorage");
  return asString(id) === null ? null : folderOf(join(storage, String(id), "state.vscdb"));
}

/** Returns the conversation of a person that led to this one, or the one that started it. */
function parentIn(info: JsonObject | null | undefined): string | null {
  return asString(info?.rootParentConversationId) ?? asString(info?.parentComposerId);
}

/** Returns the folder that a window's database belongs to; null for the database of all windows. */
function folderOf(database: string): string | null {
  const about = parseObject(readIfExists(join(dirname(database), "workspace.json")) ?? "");
  const workspace = asString(about?.workspace) ?? asString(about?.configuration);
  return pathOf(asString(about?.folder)) ?? directoryOfWorkspace(pathOf(workspace), database);
}

/** Returns the path of a file URL on this machine; null for one on another. */
function pathOf(uri: string | null): string | null {
  if (uri?.startsWith("file://") !== true) return absolutePath(uri ?? undefined);
  try {
    return decodeURIComponent(new URL(uri).pathname).replace(/^\/(?=[A-Za-z]:)/, "");
  } catch {
    return null;
  }
}

/** Returns the conversations of windows by folder. Before 3.12, the database of a folder listed them. */
function openedIn(user: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const database of databasesBelow(user)) {
    const folder = folderOf(database);
    if (folder === null) continue;
    for (const id of tryDatabase(database, idsIn) ?? []) if (!found.has(id)) found.set(id, folder);
  }
  return found;
}

const PANELS =
  "SELECT key FROM ItemTable WHERE key LIKE 'workbench.panel.composerChatViewPane%' AND key NOT LIKE '%.hidden'";
const VIEW = "workbench.panel.aichat.view.";

function idsIn(db: Database): string[] {
  const data = readItem(db, "composer.composerData");
  const all = asObjects(data?.allComposers).map(({ composerId }) => composerId);
  const selected = Array.isArray(data?.selectedComposerIds) ? data.selectedComposerIds : [];
  const panels = asObjects(db.query(PANELS).all()).flatMap(({ key }) =>
    Object.keys(readItem(db, String(key)) ?? {}),
  );
  const views = panels.filter((key) => key.startsWith(VIEW)).map((key) => key.slice(VIEW.length));
  return [...all, ...selected, ...views].filter((id): id is string => typeof id === "string");
}

/** A conversation with its directory and parent. */
export interface Conversation extends Composer {
  cwd: string | null;
  parentId: string | null;
}

/**
 * Reads a conversation of the editor.
 *
 * @throws `not_found` when it is gone, `io` when the database cannot be read or has an unknown format of messages.
 */
export function readConversation(path: string, database: string, id: string): Conversation {
  if (isEditorDatabase(path)) throw unreadable(path, "it is damaged, locked, or of an unknown version");
  let composer: Composer | null;
  try {
    composer = readDatabase(database, (db) => readComposer(db, id));
  } catch (error) {
    throw unreadable(path, "Cursor's database cannot be read", error);
  }
  if (composer === null) throw new MementorError("not_found", `cannot read ${path}: it no longer exists`);
  const named = asObjects(composer.data.fullConversationHeadersOnly).length;
  if (named > 0 && composer.bubbles.length === 0)
    throw unreadable(path, "its messages are not where this version of mementor looks for them");
  const about = listConversations(database)?.find((listed) => listed.id === id);
  return { ...composer, cwd: about?.cwd ?? null, parentId: about?.parentId ?? null };
}

function unreadable(path: string, reason: string, cause?: unknown): MementorError {
  return new MementorError("io", `cannot read ${path}: ${reason}`, { cause });
}

/** Returns the conversation that started another one; null for one that a person started, or that is gone. */
export function findParent(database: string, id: string): string | null {
  return tryDatabase(database, (db) => parentIn(asObject(readComposer(db, id)?.data.subagentInfo))) ?? null;
}

/** Returns the stamp of a conversation without reading it; null when it does not exist or has no messages. */
export function conversationStamp(database: string, id: string): SourceStamp | null {
  return tryDatabase(database, (db) => composerStamp(db, id) ?? tabStamp(db, id));
}

const STAMP = `
  SELECT max(coalesce(value ->> '$.lastUpdatedAt', 0), coalesce(value ->> '$.createdAt', 0)) AS changed,
    octet_length(value) + (SELECT coalesce(sum(octet_length(value)), 0) FROM cursorDiskKV WHERE key >= ? AND key < ?) AS size
  FROM (SELECT CAST(value AS TEXT) AS value FROM cursorDiskKV WHERE key = ? AND ${isReadable("value")}) WHERE json_valid(value)`;

function composerStamp(db: Database, id: string): SourceStamp | null {
  if (!hasTable(db, "cursorDiskKV")) return null;
  const row = asObject(db.query(STAMP).get(`bubbleId:${id}:`, `bubbleId:${id};`, `composerData:${id}`));
  if (row === null) return null;
  const changed = asNumber(row.changed) ?? 0;
  return { size: asNumber(row.size) ?? 0, mtimeMs: changed, ctimeMs: changed };
}

function tabStamp(db: Database, id: string): SourceStamp | null {
  const tab = readTabs(db).find(({ tabId }) => tabId === id);
  if (tab === undefined) return null;
  const changed = asNumber(tab.lastSendTime) ?? 0;
  return { size: JSON.stringify(tab).length, mtimeMs: changed, ctimeMs: changed };
}

const ID = /^(?:task-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const EDITOR = "state.vscdb";
const TRANSCRIPTS = "agent-transcripts";

/**
 * The place of a conversation of Cursor: in a database of the editor, in the database of one session of the command line, or in a
 * transcript.
 */
export type Place =
  | { kind: "editor"; database: string; id: string }
  | { kind: "store"; sessionId: string }
  | { kind: "transcript"; sessionId: string; agentId: string | null };

/** Tells whether a path is a database of the editor. */
export function isEditorDatabase(path: string): boolean {
  return basename(path) === EDITOR;
}

/** Returns the path of a conversation in a database of the editor. */
export function editorPath(database: string, id: string): string {
  return join(database, id);
}

/** Parses the path of a conversation; null for any other path. */
export function parsePlace(path: string): Place | null {
  const [name, folder] = [basename(path), dirname(path)];
  if (isEditorDatabase(folder) && ID.test(name)) return { kind: "editor", database: folder, id: name };
  if (name === "store.db") return storePlace(folder);
  return name.endsWith(".jsonl") ? transcriptPlace(folder, name.slice(0, -".jsonl".length)) : null;
}

/** Parses `chats/<MD5 of the directory>/<session>/store.db`. */
function storePlace(folder: string): Place | null {
  const sessionId = basename(folder);
  const isChat = /^[\da-f]{32}$/.test(basename(dirname(folder))) && ID.test(sessionId);
  return isChat ? { kind: "store", sessionId } : null;
}

/** Parses `agent-transcripts/<session>.jsonl`, `<session>/<session>.jsonl` or `<session>/subagents/<subagent>.jsonl`. */
function transcriptPlace(folder: string, id: string): Place | null {
  if (!ID.test(id)) return null;
  const [inner, outer] = [basename(folder), dirname(folder)];
  if (inner === TRANSCRIPTS || basename(outer) === TRANSCRIPTS)
    return { kind: "transcript", sessionId: id, agentId: null };
  if (inner !== "subagents" || basename(dirname(outer)) !== TRANSCRIPTS) return null;
  return { kind: "transcript", sessionId: basename(outer), agentId: id };
}

/** Returns the folder of a project, `projects/<directory>`, that contains a transcript. */
export function projectFolder(transcript: string): string {
  let folder = dirname(transcript);
  while (basename(folder) !== TRANSCRIPTS && dirname(folder) !== folder) folder = dirname(folder);
  return dirname(folder);
}
