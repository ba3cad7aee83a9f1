import type { Database } from "bun:sqlite";
import { asObject, asObjects, asString, type JsonObject, parseObject } from "../../io/json.ts";
import { isReadable, queryRows, requireIndex } from "../foreign-database.ts";

/** A conversation of the editor with its messages, in order. */
export interface Composer {
  data: JsonObject;
  bubbles: readonly JsonObject[];
  /** Messages that the conversation no longer names, because a person went back to an earlier one. */
  left: readonly JsonObject[];
}

/** Reads a conversation; null when the database has none of this id. */
export function readComposer(database: Database, id: string): Composer | null {
  const data = hasTable(database, "cursorDiskKV") ? valueAt(database, `composerData:${id}`) : null;
  return data === null ? tabIn(database, id) : withBubbles(database, id, data);
}

function withBubbles(database: Database, id: string, data: JsonObject): Composer {
  const rows = bubblesOf(database, id);
  const headers = asObjects(data.fullConversationHeadersOnly);
  // Before there were headers, the conversation contained its messages. A row may have more of them.
  const inside = asObjects(data.conversation).map(
    (bubble): JsonObject => ({
      ...bubble,
      ...rows.get(asString(bubble.bubbleId) ?? ""),
    }),
  );
  const named = headers.flatMap(({ bubbleId }): JsonObject[] => {
    const row = rows.get(asString(bubbleId) ?? "");
    return row === undefined ? [] : [row];
  });
  const bubbles = (headers.length > 0 ? named : inside).map((bubble) => withTool(bubble, data));
  const known = new Set(bubbles.map(({ bubbleId }) => bubbleId));
  const left = [...rows.values()].filter(({ bubbleId }) => !known.has(bubbleId));
  return { data, bubbles, left };
}

/** Adds the call of a tool to a message. Older versions keep the calls apart, by message. */
function withTool(bubble: JsonObject, { capabilities }: JsonObject): JsonObject {
  if (asObject(bubble.toolFormerData) !== null) return bubble;
  for (const { data } of asObjects(capabilities)) {
    const map = asObject(data)?.bubbleDataMap;
    const calls = typeof map === "string" ? parseObject(map) : asObject(map);
    const call = asObject(calls?.[asString(bubble.bubbleId) ?? ""]);
    if (call !== null) return { ...bubble, toolFormerData: call };
  }
  return bubble;
}

const BUBBLES = `
  SELECT key, CAST(value AS TEXT) AS value FROM cursorDiskKV
  WHERE key >= ? AND key < ? AND ${isReadable("value")} ORDER BY rowid`;

function bubblesOf(database: Database, id: string): Map<string, JsonObject> {
  const prefix = `bubbleId:${id}:`;
  const bubbles = new Map<string, JsonObject>();
  // A deleted message has no value.
  for (const { key, value } of queryRows(database, BUBBLES, prefix, `bubbleId:${id};`)) {
    const bubbleId = String(key).slice(prefix.length);
    bubbles.set(bubbleId, { ...(parseObject(asString(value) ?? "") ?? { type: "malformed" }), bubbleId });
  }
  return bubbles;
}

/** Key of the chat of the first versions, in the database of a folder: all conversations in one value. */
const TABS = "workbench.panel.aichat.view.aichat.chatdata";

/** Returns the chats in the database of a folder, in the format of the first versions. */
export function readTabs(database: Database): JsonObject[] {
  if (!hasTable(database, "ItemTable")) return [];
  return asObjects(readItem(database, TABS)?.tabs).filter(({ tabId }) => asString(tabId) !== null);
}

function tabIn(database: Database, id: string): Composer | null {
  const tab = readTabs(database).find(({ tabId }) => tabId === id);
  if (tab === undefined) return null;
  const bubbles = asObjects(tab.bubbles).map((bubble, index) => ({
    ...bubble,
    bubbleId: asString(bubble.id) ?? `${id}:${index}`,
    type: bubble.type === "user" ? 1 : bubble.type === "ai" ? 2 : bubble.type,
  }));
  return { data: { composerId: id, name: tab.chatTitle, createdAt: tab.lastSendTime }, bubbles, left: [] };
}

/** Returns a value of the editor's settings in a database; null when it is missing or not an object. */
export function readItem(database: Database, key: string): JsonObject | null {
  const row = database
    .query(`SELECT CAST(value AS TEXT) AS value FROM ItemTable WHERE key = ? AND ${isReadable("value")}`)
    .get(key);
  return parseObject(asString(asObject(row)?.value) ?? "") ?? null;
}

function valueAt(database: Database, key: string): JsonObject | null {
  const row = database
    .query(`SELECT CAST(value AS TEXT) AS value FROM cursorDiskKV WHERE key = ? AND ${isReadable("value")}`)
    .get(key);
  return parseObject(asString(asObject(row)?.value) ?? "") ?? null;
}

/** Tells whether a database has a table. The table of the editor's values must have an index by key. */
export function hasTable(database: Database, name: string): boolean {
  const found = database.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name);
  if (found !== null && name === "cursorDiskKV") requireIndex(database, name, "key");
  return found !== null;
}
