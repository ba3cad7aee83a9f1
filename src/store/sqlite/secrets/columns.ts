import { type CleanString, clean, cleanId, cleanJson } from "../../../redact/gate.ts";
import type { Connection } from "../connection/connection.ts";
import { writeMention } from "../write/details.ts";

type Cleaner = (text: string) => CleanString;

/** Columns with texts outside turns: the name of the place, its table and column, and how to clean a value. */
const COLUMNS: readonly (readonly [place: string, table: string, column: string, cleaner: Cleaner])[] = [
  ["branch", "turns", "branch", clean],
  ["directory", "turns", "cwd", clean],
  ["model", "turns", "model", clean],
  ["version", "turns", "client_version", clean],
  ["tools", "turns", "tool_summary", (json) => cleanJson(json)],
  ["title", "sessions", "title", clean],
  ["first prompt", "sessions", "first_prompt", clean],
  ["directory", "sessions", "project_dir", clean],
  ["branch", "sessions", "branch", clean],
  ["transcript", "sessions", "transcript_path", cleanId],
  ["agent type", "subagent_sessions", "agent_type", clean],
  ["task", "subagent_sessions", "task", clean],
  ["pull request", "pr_links", "pr_url", clean],
  ["pull request", "pr_links", "pr_repository", clean],
  ["commit", "commits", "message", clean],
  ["trigger", "compactions", "trigger", clean],
  ["subject", "injections", "subject", clean],
  ["decision", "hook_calls", "decision", clean],
  ["prompt", "hook_calls", "prompt", clean],
  ["subject", "hook_calls", "subject", clean],
  ["answer", "hook_calls", "answer", clean],
  ["passage", "hook_call_turns", "passage", clean],
  ["cure", "cures", "cure", (json) => cleanJson(json)],
  ["tool", "file_mentions", "tool_name", clean],
  ["transcript", "sources", "path", cleanId],
  ["transcript state", "sources", "skipped", (json) => cleanJson(json, [""])],
  ["transcript state", "sources", "reader_state", (json) => cleanJson(json, ["skipped", "closed"])],
  ["transcript state", "sources", "sessions", (json) => cleanJson(json)],
];

/** A value that today's rules would not store unchanged. */
interface Unclean {
  place: string;
  value: string;
  replace: () => void;
}

/** Returns values outside turns' texts that contain secrets, and the replacement of each. */
export function uncleanValues(connection: Connection): Unclean[] {
  const found = COLUMNS.flatMap(([place, table, column, cleaner]) =>
    distinct(connection, table, column).flatMap((value): Unclean[] => {
      const left = cleaner(value);
      return left === value
        ? []
        : [{ place, value, replace: () => replace(connection, table, column, [value, left]) }];
    }),
  );
  const paths = distinct(connection, "file_mentions", "file_path").filter((path) => clean(path) !== path);
  return [
    ...found,
    ...paths.map((value) => ({ place: "file", value, replace: () => replacePath(connection, value) })),
  ];
}

function distinct(connection: Connection, table: string, column: string): string[] {
  return connection.column<string>(
    `SELECT DISTINCT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`,
  );
}

function replace(
  connection: Connection,
  table: string,
  column: string,
  [from, to]: [string, CleanString],
): void {
  connection.run(`UPDATE OR IGNORE ${table} SET ${column} = ? WHERE ${column} = ?`, to, from);
  // A row that would equal another row is a duplicate.
  if (table !== "turns" && table !== "sessions")
    connection.run(`DELETE FROM ${table} WHERE ${column} = ?`, from);
}

/** Replaces a path in rows that count it or hold its embedding. */
function replacePath(connection: Connection, path: string): void {
  const filePath = clean(path);
  const rows = connection.all<{ turnId: number; toolName: string }>(
    "SELECT turn_id AS turnId, tool_name AS toolName FROM file_mentions WHERE file_path = ?",
    path,
  );
  for (const { turnId, toolName } of rows)
    writeMention(connection, turnId, { filePath, toolName: clean(toolName) });
  connection.run("DELETE FROM file_mentions WHERE file_path = ?", path);
  connection.run("DELETE FROM resource_embeddings WHERE resource = ?", path);
  connection.run("DELETE FROM pending_resources WHERE resource = ?", path);
}
