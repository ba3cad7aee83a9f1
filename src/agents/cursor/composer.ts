import type { Database } from "bun:sqlite";
import { type JsonObject, objectOf, objectsOf, parseObject, stringOf } from "../../io/json.ts";
import { isReadable, requireIndex, rowsOf } from "../foreign-database.ts";

/** A conversation of the editor with its messages, in order. */
export interface Composer {
  data: JsonObject;
  bubbles: readonly JsonObject[];
  /** Messages that the conversation no longer names, because a person went back to an earlier one. */
  left: readonly JsonObject[];
}

/** Reads a conversation; null when the database has none of this id. */
export function composerIn(database: Database, id: string): Composer | null {
  const data = hasTable(database, "cursorDiskKV") ? valueAt(database, `composerData:${id}`) : null;
  return data === null ? tabIn(database, id) : withBubbles(database, id, data);
}

function withBubbles(database: Database, id: string, data: JsonObject): Composer {
  const rows = bubblesOf(database, id);
  const headers = objectsOf(data.fullConversationHeadersOnly);
  // Before there were headers, the conversation contained its messages. A row may have more of them.
  const inside = objectsOf(data.conversation).map(
    (bubble): JsonObject => ({
      ...bubble,
      ...rows.get(stringOf(bubble.bubbleId) ?? ""),
    }),
  );
  const named = headers.flatMap(({ bubbleId }): JsonObject[] => {
    const row = rows.get(stringOf(bubbleId) ?? "");
    return row === undefined ? [] : [row];
  });
  const bubbles = (headers.length > 0 ? named : inside).map((bubble) => withTool(bubble, data));
  const known = new Set(bubbles.map(({ bubbleId }) => bubbleId));
  const left = [...rows.values()].filter(({ bubbleId }) => !known.has(bubbleId));
  return { data, bubbles, left };
}

/** Adds the call of a tool to a message. Older versions keep the calls apart, by message. */
function withTool(bubble: JsonObject, { capabilities }: JsonObject): JsonObject {
  if (objectOf(bubble.toolFormerData) !== null) return bubble;
  for (const { data } of objectsOf(capabilities)) {
    const map = objectOf(data)?.bubbleDataMap;
    const calls = typeof map === "string" ? parseObject(map) : objectOf(map);
    const call = objectOf(calls?.[stringOf(bubble.bubbleId) ?? ""]);
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
  for (const { key, value } of rowsOf(database, BUBBLES, prefix, `bubbleId:${id};`)) {
    const bubbleId = String(key).slice(prefix.length);
    bubbles.set(bubbleId, { ...(parseObject(stringOf(value) ?? "") ?? { type: "malformed" }), bubbleId });
  }
  return bubbles;
}

/** Key of the chat of the first versions, in the database of a folder: all conversations in one value. */
const TABS = "workbench.panel.aichat.view.aichat.chatdata";

/** Returns the chats in the database of a folder, in the format of the first versions. */
export function tabsIn(database: Database): JsonObject[] {
  if (!hasTable(database, "ItemTable")) return [];
  return objectsOf(itemAt(database, TABS)?.tabs).filter(({ tabId }) => stringOf(tabId) !== null);
}

function tabIn(database: Database, id: string): Composer | null {
  const tab = tabsIn(database).find(({ tabId }) => tabId === id);
  if (tab === undefined) return null;
  const bubbles = objectsOf(tab.bubbles).map((bubble, index) => ({
    ...bubble,
    bubbleId: stringOf(bubble.id) ?? `${id}:${index}`,
    type: bubble.type === "user" ? 1 : bubble.type === "ai" ? 2 : bubble.type,
  }));
  return { data: { composerId: id, name: tab.chatTitle, createdAt: tab.lastSendTime }, bubbles, left: [] };
}

/** Returns a value of the editor's settings in a database; null when it is missing or not an object. */
export function itemAt(database: Database, key: string): JsonObject | null {
  const row = database
    .query(`SELECT CAST(value AS TEXT) AS value FROM ItemTable WHERE key = ? AND ${isReadable("value")}`)
    .get(key);
  return parseObject(stringOf(objectOf(row)?.value) ?? "") ?? null;
}

function valueAt(database: Database, key: string): JsonObject | null {
  const row = database
    .query(`SELECT CAST(value AS TEXT) AS value FROM cursorDiskKV WHERE key = ? AND ${isReadable("value")}`)
    .get(key);
  return parseObject(stringOf(objectOf(row)?.value) ?? "") ?? null;
}

/** Tells whether a database has a table. The table of the editor's values must have an index by key. */
export function hasTable(database: Database, name: string): boolean {
  const found = database.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name);
  if (found !== null && name === "cursorDiskKV") requireIndex(database, name, "key");
  return found !== null;
}
