import type { SessionFacts } from "../../../domain.ts";
import { withoutForward } from "../../../turn/parts.ts";
import type { ForgottenField, Needle } from "../../forget.ts";
import type { SourceState, WriteBatch } from "../../stored.ts";
import { decodeParts } from "../../turn-rows.ts";
import type { Connection } from "../connection/connection.ts";
import { eachTurn } from "../turns/columns.ts";
import { hasTombstone, insertTombstone, tombstoneHash } from "./tombstone-hash.ts";

/** The columns that hold facts about turns, sessions and transcripts outside their texts. */
const COLUMNS: readonly (readonly [name: ForgottenField["name"], table: string, column: string])[] = [
  ["branch", "turns", "branch"],
  ["branch", "sessions", "branch"],
  ["directory", "turns", "cwd"],
  ["directory", "sessions", "project_dir"],
  ["model", "turns", "model"],
  ["version", "turns", "client_version"],
  ["agent type", "subagent_sessions", "agent_type"],
  ["trigger", "compactions", "trigger"],
  ["prompt", "hook_calls", "prompt"],
  ["transcript", "sources", "path"],
  ["transcript", "sessions", "transcript_path"],
];
/** Name under which skipped lines of a forgotten kind are counted. */
const OTHER_KIND = "other";
const TOMBSTONE = "field";

/** Returns the values of facts that match a needle. */
export function matchingFields(connection: Connection, needles: readonly Needle[]): ForgottenField[] {
  const found = COLUMNS.flatMap(([name, table, column]) =>
    connection
      .all<{ value: string }>(`SELECT DISTINCT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`)
      .map(({ value }) => ({ name, value })),
  );
  const kinds = connection
    .all<{ value: string }>("SELECT DISTINCT j.key AS value FROM sources s, json_each(s.skipped) j")
    .map(({ value }) => ({ name: "kind of entry" as const, value }));
  const matching = [...found, ...kinds].filter(({ value }) => containsNeedle(value, needles));
  return [...new Map(matching.map((field) => [`${field.name}\n${field.value}`, field])).values()];
}

/** Clears these values everywhere, for good. */
export function forgetFields(connection: Connection, fields: readonly ForgottenField[]): void {
  for (const { name, value } of fields) {
    insertTombstone(connection, TOMBSTONE, value);
    for (const [of, table, column] of COLUMNS) {
      if (of !== name) continue;
      const instead = table === "sources" ? aliasOf(connection, value) : null;
      connection.run(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`, instead, value);
    }
  }
  const values = new Set(fields.map(({ value }) => value));
  if (values.size > 0) changeSources(connection, "%", (source) => withoutValues(source, values));
}

/** Returns the batch without forgotten values. */
export function withoutForgottenFields(connection: Connection, batch: WriteBatch): WriteBatch {
  if (connection.get("SELECT 1 FROM tombstones WHERE kind = ? LIMIT 1", TOMBSTONE) === null) return batch;
  const { source, sessions, subagents, compactions, turns } = batch;
  const known = [
    ...Object.keys(source.skipped),
    ...[...source.sessions, ...sessions].flatMap(({ branch, projectDir }) => [branch, projectDir]),
    ...subagents.map(({ agentType }) => agentType),
    ...compactions.map(({ trigger }) => trigger),
    ...turns.flatMap(({ turn: { branch, cwd, model, clientVersion } }) => [
      branch,
      cwd,
      model,
      clientVersion,
    ]),
  ];
  const gone = new Set(
    [...new Set(known)].filter((value) => value !== null && hasTombstone(connection, TOMBSTONE, value)),
  );
  const kept = (value: string | null) => (gone.has(value) ? null : value);
  return {
    ...batch,
    source: withoutValues(source, gone),
    sessions: sessions.map((facts) => withoutFields(facts, gone)),
    subagents: subagents.map((facts) => ({ ...facts, agentType: kept(facts.agentType) })),
    compactions: compactions.map((facts) => ({ ...facts, trigger: kept(facts.trigger) })),
    turns: turns.map(({ turn, chunks }) => ({
      chunks,
      turn: {
        ...turn,
        branch: kept(turn.branch),
        cwd: kept(turn.cwd),
        model: kept(turn.model),
        clientVersion: kept(turn.clientVersion),
      },
    })),
  };
}

/** Removes the kinds of lines from the state of a transcript whose session was forgotten. */
export function withoutLineKinds(
  source: SourceState,
  stays: (session: { sessionId: string }) => boolean,
): SourceState {
  return source.sessionId === null || stays({ sessionId: source.sessionId }) ? source : withoutKinds(source);
}

/** Removes the kinds of lines from a session's transcripts, because the names may come from the transcript. */
export function forgetKinds(connection: Connection, sessionId: string): void {
  changeSources(connection, sessionId, withoutKinds);
}

/** Returns the stored name of a transcript: its path, or an alias when the path was forgotten. */
export function sourceName(connection: Connection, path: string): string {
  return hasTombstone(connection, TOMBSTONE, path) ? aliasOf(connection, path) : path;
}

function aliasOf(connection: Connection, path: string): string {
  return `forgotten:${Buffer.from(tombstoneHash(connection, "path", path)).toString("hex")}`;
}

/** The parts of a transcript's state that may contain forgotten values. */
type Known = Pick<SourceState, "skipped" | "sessions" | "readerState">;

/** Changes the state of the transcripts of a session, or of all (`%`). */
function changeSources(connection: Connection, sessionId: string, change: (source: Known) => Known): void {
  const rows = connection.all<{ id: number; skipped: string; sessions: string; readerState: string | null }>(
    "SELECT id, skipped, sessions, reader_state AS readerState FROM sources WHERE ?1 IN ('%', session_id)",
    sessionId,
  );
  for (const { id, skipped, sessions, readerState } of rows) {
    const left = change({ skipped: JSON.parse(skipped), sessions: JSON.parse(sessions), readerState });
    connection.run(
      "UPDATE sources SET skipped = $skipped, sessions = $sessions, reader_state = $readerState WHERE id = $id",
      {
        id,
        skipped: JSON.stringify(left.skipped),
        sessions: JSON.stringify(left.sessions),
        readerState: left.readerState,
      },
    );
  }
}

function withoutKinds<Source extends Known>(source: Source): Source {
  const kinds = new Set(Object.keys(source.skipped));
  return { ...withoutValues(source, kinds), sessions: source.sessions };
}

type Values = ReadonlySet<string | null>;

/** Removes values from a transcript's state. The reader's state is opaque here: only whole strings in its JSON are replaced. */
function withoutValues<Source extends Known>(source: Source, values: Values): Source {
  if (values.size === 0) return source;
  const { skipped, sessions, readerState } = source;
  return {
    ...source,
    skipped: renamed(skipped, values),
    sessions: sessions.map((facts) => withoutFields(facts, values)),
    readerState: readerState && JSON.stringify(JSON.parse(readerState, (_, value) => renamed(value, values))),
  };
}

function withoutFields(facts: SessionFacts, values: Values): SessionFacts {
  const kept = (value: string | null) => (values.has(value) ? null : value);
  return { ...facts, branch: kept(facts.branch), projectDir: kept(facts.projectDir) };
}

/** Renames forgotten keys of counts, and merges the counts. */
function renamed<Value>(value: Value, values: Values): Value {
  if (typeof value === "string") return (values.has(value) ? OTHER_KIND : value) as Value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const kept = new Map<string, unknown>();
  for (const [key, of] of Object.entries(value)) {
    const name = values.has(key) ? OTHER_KIND : key;
    const before = kept.get(name);
    kept.set(name, typeof before === "number" && typeof of === "number" ? before + of : of);
  }
  return Object.fromEntries(kept) as Value;
}

/** Tells whether the text contains one of the needles. */
export function containsNeedle(text: string, needles: readonly Needle[]): boolean {
  return needles.some((needle) => {
    if (!needle.isPath) return fold(text).includes(fold(needle.text));
    return text.includes(needle.text) && pathPattern(needle.text).test(text);
  });
}

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function pathPattern(path: string): RegExp {
  const escaped = RegExp.escape(path);
  return new RegExp(`(?<![\\w./-])(?:\\./)?${escaped}${path.endsWith("/") ? "" : "(?![\\w/-]|\\.\\w)"}`);
}

/** Returns the turns whose text matches a needle, and those that match only in their forward context. */
export function matchingTurns(
  connection: Connection,
  needles: readonly Needle[],
): { text: number[]; forward: number[] } {
  const found: { text: number[]; forward: number[] } = { text: [], forward: [] };
  for (const { id, text, parts } of eachTurn(connection)) {
    if (!containsNeedle(text, needles)) continue;
    const isInText = containsNeedle(withoutForward({ text, parts: decodeParts(parts) }).text, needles);
    (isInText ? found.text : found.forward).push(id);
  }
  return found;
}

/** Returns the turns that touched a matching path or made a commit with a matching message. */
export function turnsTouching(connection: Connection, needles: readonly Needle[]): number[] {
  const paths = connection
    .column<string>("SELECT file_path FROM file_totals")
    .filter((path) => containsNeedle(path, needles));
  const touched = connection.column<number>(
    "SELECT DISTINCT m.turn_id AS id FROM json_each(?) j CROSS JOIN file_mentions m ON m.file_path = j.value",
    JSON.stringify(paths),
  );
  const made = connection
    .all<{ id: number; message: string }>("SELECT turn_id AS id, message FROM commits")
    .filter(({ message }) => containsNeedle(message, needles));
  return [...touched, ...made.map(({ id }) => id)];
}

/** Returns the sessions whose title, first prompt, tasks or pull requests match a needle. */
export function matchingSessions(connection: Connection, needles: readonly Needle[]): string[] {
  if (needles.length === 0) return [];
  const rows = connection.all<{ id: string; text: string }>(
    `SELECT session_id AS id, coalesce(title, '') || char(10) || coalesce(first_prompt, '') AS text FROM sessions
     UNION ALL SELECT session_id, task FROM subagent_sessions WHERE task IS NOT NULL
     UNION ALL SELECT session_id, pr_url FROM pr_links`,
  );
  return [...new Set(rows.filter(({ text }) => containsNeedle(text, needles)).map(({ id }) => id))];
}
