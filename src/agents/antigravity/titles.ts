import { dirname, join } from "node:path";
import { objectOf, stringOf } from "../../transcript/json.ts";
import { readDatabase } from "../foreign-database.ts";

/** Returns the title that the client gave to a conversation; null when it has none, or its database cannot be read. */
export function titleOf(folder: string, id: string): string | null {
  const file = join(dirname(dirname(folder)), "conversation_summaries.db");
  try {
    const row = readDatabase(file, (database) =>
      database.query("SELECT title FROM conversation_summaries WHERE conversation_id = ?").get(id),
    );
    return stringOf(objectOf(row)?.title);
  } catch {
    return null;
  }
}
