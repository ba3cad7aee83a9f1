import { clean, secretsIn } from "../../../redact/gate.ts";
import { isMeasured } from "../../../turn/parts.ts";
import type { FoundSecret } from "../../contract/types/secrets.ts";
import { decodeParts } from "../../shared/encoded-parts.ts";
import type { Connection } from "../connection/connection.ts";
import { keepWording } from "../forget/wordings.ts";
import { TEXT, type TextRow } from "../turns/texts.ts";
import { replaceText } from "../write/replace.ts";

/** Returns up to `limit` turns after an id, in order of id. */
export function rowsAfter(connection: Connection, after: number, limit: number): TextRow[] {
  const sql = `SELECT ${TEXT} FROM turns t WHERE t.id > ? ORDER BY t.id LIMIT ?`;
  return connection.all<TextRow>(sql, after, limit);
}

/** Returns the secrets that today's rules find in a turn's text. */
export function secretsOf({ id, text }: TextRow): FoundSecret[] {
  const found = secretsIn(text).map(({ kind, start, end }) => ({
    turnId: id,
    place: "text",
    kind,
    chars: end - start,
  }));
  if (found.length > 0 || clean(text) === text) return found;
  return [{ turnId: id, place: "text", kind: "private", chars: text.length - clean(text).length }];
}

/**
 * Removes secrets from a turn's text, its chunks and both keyword indexes, and finds its parts again where they are not those of
 * the text. Returns false when there was neither.
 */
export function cleanTurn(connection: Connection, { id, text, parts }: TextRow): boolean {
  const before = { text, parts: decodeParts(parts) };
  if (clean(text) === text && isMeasured(before)) return false;
  keepWording(connection, id, before);
  replaceText(connection, id, before, []);
  return true;
}
