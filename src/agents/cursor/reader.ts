import { MementorError } from "../../errors.ts";
import type { ReadOptions, TranscriptStep } from "../../transcript/transcript.ts";
import { conversationAt } from "./editor.ts";
import { readEditor } from "./editor-reader.ts";
import { isEditorDatabase, placeOf } from "./path.ts";
import { readStore } from "./store-reader.ts";
import { readTranscript } from "./transcript-reader.ts";

/**
 * Reads a conversation of Cursor: from a database of the editor or of the command line, or from a transcript.
 *
 * @throws `not_found` when no conversation is at the path.
 */
export async function* readCursor(path: string, options: ReadOptions): AsyncIterable<TranscriptStep> {
  const place = placeOf(path);
  if (place?.kind === "editor") yield* readEditor(path, place.database, place.id, options);
  else if (place?.kind === "store") yield* readStore(path, place.sessionId, options);
  else if (place !== null) yield* readTranscript(path, place, options);
  else if (isEditorDatabase(path)) conversationAt(path, path, "");
  else throw new MementorError("not_found", `cannot read ${path}: it is no conversation of Cursor`);
}
