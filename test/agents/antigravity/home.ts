import { Database } from "bun:sqlite";
import { join } from "node:path";
import { installFolder } from "../contract.ts";

const FIXTURE = join(import.meta.dir, "../../../fixtures/agents/antigravity/home");
export const PROJECT = "/home/dev/observatory";
export const SESSIONS = [1, 3, 4, 5].map((n) => `a9c10000-000${n}-4000-8000-00000000000${n}`);

/** Where the titles of conversations are in a home directory. */
export function titlesIn(home: string): string {
  return join(home, ".gemini/antigravity-cli/conversation_summaries.db");
}

/** Puts Antigravity's conversations into a home directory, and the database of their titles. */
export function installAntigravity(home: string): void {
  installFolder(FIXTURE)(home);
  const database = new Database(titlesIn(home));
  database.run(
    "CREATE TABLE conversation_summaries (conversation_id TEXT PRIMARY KEY, title TEXT, preview TEXT)",
  );
  database.run("INSERT INTO conversation_summaries VALUES (?, 'The dome stops at 270', 'Why does')", [
    SESSIONS[0] ?? "",
  ]);
  database.close();
}
