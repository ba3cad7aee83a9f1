import { dirname, join } from "node:path";
import type { Agent, SourceFile } from "../agent.ts";
import { fileStamp } from "../files.ts";
import { conversationStamp, conversationsIn, isEditorDatabase, parentOf, placeOf } from "./editor.ts";
import {
  cursorDirectory,
  directoryOf,
  discoverSessions,
  editorDirectory,
  fullestForm,
  isTakenOver,
  projectSessions,
} from "./project-sessions.ts";
import { sidecarOf, storeStamp } from "./store.ts";

/**
 * Cursor: the editor keeps conversations in SQLite databases, and its command line one database for each session. Both
 * write transcripts, which know less. Cursor may be writing to all of them.
 */
export const cursor: Agent = {
  id: "cursor",
  home: cursorDirectory,
  sessionFile: fullestForm,
  roots: (environment) => [
    editorDirectory(environment),
    ...["chats", "projects"].map((name) => join(cursorDirectory(environment), name)),
  ],
  owns: (path) => isEditorDatabase(path) || placeOf(path) !== null,
  growth: (path) => (placeOf(path)?.kind === "transcript" ? "appended" : "replaced"),
  stampOf: (path) => {
    const place = placeOf(path);
    if (place?.kind === "editor") return conversationStamp(place.database, place.id);
    if (place?.kind === "store") return storeStamp(path);
    return isTakenOver(path) ? null : fileStamp(path);
  },
  container: (path) => (placeOf(path)?.kind === "editor" ? dirname(path) : path),
  startedIn: (path) => {
    const place = placeOf(path);
    if (place?.kind === "editor")
      return conversationsIn(place.database)?.find(({ id }) => id === place.id)?.cwd ?? null;
    if (place?.kind === "store") return sidecarOf(path).cwd;
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
  const place = placeOf(path);
  if (place === null) return { sessionId: null, isNamed: false, agentId: null };
  if (place.kind === "store") return { sessionId: place.sessionId, isNamed: true, agentId: null };
  if (place.kind === "transcript")
    return { sessionId: place.sessionId, isNamed: place.agentId === null, agentId: place.agentId };
  const parentId = parentOf(place.database, place.id);
  if (parentId === null) return { sessionId: place.id, isNamed: true, agentId: null };
  return { sessionId: parentId, isNamed: false, agentId: place.id };
}
