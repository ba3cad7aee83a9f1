import type { Chunk } from "../../../domain.ts";
import { clean } from "../../../redact/gate.ts";
import { mapText } from "../../../turn/map.ts";
import type { TurnText } from "../../../turn/text.ts";
import type { Connection } from "../connection/connection.ts";
import { failuresOf, writeParts } from "../turns/parts.ts";
import { writeChunks } from "./chunks.ts";
import { cleanChunks } from "./gate.ts";

/** Replaces the text of a stored turn. Chunks with unchanged text keep their vectors; the others get new ones later. */
export function replaceText(
  connection: Connection,
  turnId: number,
  given: TurnText,
  chunks: readonly Chunk[],
): void {
  const { text: stored, parts } = mapText(given, clean);
  connection.run("UPDATE turns SET full_text = ? WHERE id = ?", stored, turnId);
  const failures = failuresOf(connection, turnId).filter(
    ({ end }) => stored.slice(0, end) === given.text.slice(0, end),
  );
  writeParts(connection, turnId, { parts, failures });
  const cleaned = cleanChunks(given.text, stored, chunks);
  writeChunks(connection, { turnId, text: stored, parts, chunks: cleaned, textChanged: true });
}
