import { basename, dirname, join } from "node:path";

const ID = /^(?:task-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const EDITOR = "state.vscdb";
const TRANSCRIPTS = "agent-transcripts";

/**
 * The place of a conversation of Cursor: in a database of the editor, in the database of one session of the command
 * line, or in a transcript.
 */
export type Place =
  | { kind: "editor"; database: string; id: string }
  | { kind: "store"; sessionId: string }
  | { kind: "transcript"; sessionId: string; agentId: string | null };

/** True for a database of the editor. */
export function isEditorDatabase(path: string): boolean {
  return basename(path) === EDITOR;
}

/** Returns the path of a conversation in a database of the editor. */
export function editorPath(database: string, id: string): string {
  return join(database, id);
}

/** Reads the path of a conversation; null for any other path. */
export function placeOf(path: string): Place | null {
  const [name, folder] = [basename(path), dirname(path)];
  if (isEditorDatabase(folder) && ID.test(name)) return { kind: "editor", database: folder, id: name };
  if (name === "store.db") return storePlace(folder);
  return name.endsWith(".jsonl") ? transcriptPlace(folder, name.slice(0, -".jsonl".length)) : null;
}

/** `chats/<MD5 of the directory>/<session>/store.db`. */
function storePlace(folder: string): Place | null {
  const sessionId = basename(folder);
  const isChat = /^[\da-f]{32}$/.test(basename(dirname(folder))) && ID.test(sessionId);
  return isChat ? { kind: "store", sessionId } : null;
}

/** `agent-transcripts/<session>.jsonl`, `<session>/<session>.jsonl` or `<session>/subagents/<subagent>.jsonl`. */
function transcriptPlace(folder: string, id: string): Place | null {
  if (!ID.test(id)) return null;
  const [inner, outer] = [basename(folder), dirname(folder)];
  if (inner === TRANSCRIPTS || basename(outer) === TRANSCRIPTS)
    return { kind: "transcript", sessionId: id, agentId: null };
  if (inner !== "subagents" || basename(dirname(outer)) !== TRANSCRIPTS) return null;
  return { kind: "transcript", sessionId: basename(outer), agentId: id };
}

/** Returns the folder of a project, `projects/<directory>`, in which a transcript is. */
export function projectFolder(transcript: string): string {
  let folder = dirname(transcript);
  while (basename(folder) !== TRANSCRIPTS && dirname(folder) !== folder) folder = dirname(folder);
  return dirname(folder);
}
