import { type CleanString, clean, cleanId, cleanJson, secretsIn } from "../../redact/gate.ts";
import { RULES_VERSION } from "../../redact/version.ts";
import { isMeasured } from "../../turn/parts.ts";
import type { CleanStep, FoundSecret, ScanStep, SecretStore } from "../store.ts";
import { decodeParts } from "../turn-rows.ts";
import type { Connection } from "./connection/connection.ts";
import { readMeta, removeMeta, writeMeta } from "./connection/connection.ts";
import { CLEAN } from "./connection/version.ts";
import { markUncompacted } from "./forget/compact.ts";
import { keepWording } from "./forget/wordings.ts";
import { TEXT_SQL, type TextRow } from "./turns/columns.ts";
import { replaceText } from "./write/chunks.ts";
import { writeMention } from "./write/facts.ts";

/** Turns per step. */
const STEP = 100;
/** Key in `meta` of the progress of cleaning with the current rules. */
const PROGRESS = "secret_rules_progress";
/** Key in `meta` of the number of secrets that the last scan found and left. */
const FOUND = "secret_found";

export function secretStore(connection: Connection): SecretStore {
  return {
    find: async (after) => connection.snapshot(() => find(connection, after)),
    clean: async (after) => connection.transaction(() => cleanStep(connection, after)),
    async due() {
      if (numberIn(connection, CLEAN[0]) === RULES_VERSION) return null;
      const [version, after] = (readMeta(connection, PROGRESS) ?? "").split(" ");
      return Number(version) === RULES_VERSION ? Number(after) : 0;
    },
    noteFound: async (count) =>
      connection.transaction(() =>
        count === 0 ? finish(connection) : writeMeta(connection, FOUND, String(count)),
      ),
    lastFound: async () => numberIn(connection, FOUND),
  };
}

function find(connection: Connection, after: number): ScanStep {
  const rows = rowsAfter(connection, after, STEP);
  const found = rows.flatMap(secretsOf);
  if (after === 0) found.push(...otherSecrets(connection));
  return { found, next: rows.length < STEP ? null : (rows.at(-1)?.id ?? null) };
}

function otherSecrets(connection: Connection): FoundSecret[] {
  return uncleanValues(connection).map(({ place, value }) => {
    const [first] = secretsIn(value);
    const chars = first === undefined ? value.length : first.end - first.start;
    return { turnId: null, place, kind: first?.kind ?? "private", chars };
  });
}

/** Cleans one step and records the progress in one transaction, so that a killed process continues after it. */
function cleanStep(connection: Connection, after: number): CleanStep {
  const rows = rowsAfter(connection, after, STEP);
  let changed = 0;
  for (const row of rows) if (cleanTurn(connection, row)) changed++;
  if (after === 0) {
    const values = uncleanValues(connection);
    for (const { replace } of values) replace();
    changed += values.length;
  }
  if (changed > 0) markUncompacted(connection);
  const next = rows.length < STEP ? null : (rows.at(-1)?.id ?? null);
  if (next !== null) writeMeta(connection, PROGRESS, `${RULES_VERSION} ${next}`);
  else finish(connection);
  return { changed, next };
}

function finish(connection: Connection): void {
  writeMeta(connection, ...CLEAN);
  removeMeta(connection, PROGRESS);
  removeMeta(connection, FOUND);
}

function numberIn(connection: Connection, key: string): number {
  return Number(readMeta(connection, key) ?? 0);
}

/** Returns up to `limit` turns after an id, in order of id. */
function rowsAfter(connection: Connection, after: number, limit: number): TextRow[] {
  const sql = `SELECT ${TEXT_SQL} FROM turns t WHERE t.id > ? ORDER BY t.id LIMIT ?`;
  return connection.all<TextRow>(sql, after, limit);
}

/** Returns the secrets that the current rules find in a turn's text. */
function secretsOf({ id, text }: TextRow): FoundSecret[] {
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
 * Removes secrets from a turn's text, its chunks and both keyword indexes, and repairs its parts if they do not match the text.
 * Returns false when nothing changed.
 */
function cleanTurn(connection: Connection, { id, text, parts }: TextRow): boolean {
  const before = { text, parts: decodeParts(parts) };
  if (clean(text) === text && isMeasured(before)) return false;
  keepWording(connection, id, before);
  replaceText(connection, id, before, []);
  return true;
}

type Cleaner = (text: string) => CleanString;

/** Columns with texts outside turns: name of the place, table, column, and cleaning function. */
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
  ["tool", "file_mentions", "tool_name", clean],
  ["transcript", "sources", "path", cleanId],
  ["transcript state", "sources", "skipped", (json) => cleanJson(json, [""])],
  ["transcript state", "sources", "reader_state", (json) => cleanJson(json, ["skipped", "closed"])],
  ["transcript state", "sources", "sessions", (json) => cleanJson(json)],
];

/** A value that the current rules would change. */
interface Unclean {
  place: string;
  value: string;
  replace: () => void;
}

/** Returns values outside turns' texts that contain secrets, with their replacements. */
function uncleanValues(connection: Connection): Unclean[] {
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
