import type { Database } from "bun:sqlite";
import { composeText } from "../../../turn/text.ts";
import { decodeParts, encodeParts } from "../../shared/encoded-parts.ts";
import { contentHash } from "../write/chunk-matches.ts";
import { TEXT, type TextRow } from "./texts.ts";

/** Gives the notes that agents wrote before such notes were told apart the label that says so, in place of the user's. */
export function markAgentNotes(db: Database): void {
  const select = db.query<TextRow, []>(`SELECT ${TEXT} FROM turns t WHERE t.origin = 'agent'`);
  for (const { id, text, parts } of select.all()) {
    const [prompt, ...others] = decodeParts(parts);
    if (prompt?.kind !== "prompt" || others.length > 0) continue;
    const note = composeText([{ kind: "note", text: text.slice(prompt.start, prompt.end) }]);
    const shift = note.text.length - text.length;
    db.query("UPDATE turns SET full_text = ? WHERE id = ?").run(note.text, id);
    db.query("UPDATE turn_parts SET parts = ? WHERE turn_id = ?").run(encodeParts(note.parts), id);
    moveChunks(db, id, note.text, shift);
  }
}

/** Moves a note's chunks by the length of the label; the first one begins with it. */
function moveChunks(db: Database, turnId: number, text: string, shift: number): void {
  const select = db.query<{ id: number; start: number; end: number }, [number]>(
    'SELECT id, start, "end" FROM chunks WHERE turn_id = ?',
  );
  const update = db.query(
    'UPDATE chunks SET start = ?, "end" = ?, content = ?, content_hash = ? WHERE id = ?',
  );
  for (const chunk of select.all(turnId)) {
    const start = chunk.start === 0 ? 0 : chunk.start + shift;
    const content = text.slice(start, chunk.end + shift);
    update.run(start, chunk.end + shift, content, contentHash(content), chunk.id);
  }
}
