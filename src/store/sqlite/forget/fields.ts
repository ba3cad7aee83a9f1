import type { SessionFacts } from "../../../domain.ts";
import type { ForgottenField, Needle } from "../../forget.ts";
import type { SourceState, WriteBatch } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import { matches } from "./needles.ts";
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
/** Skipped lines of a forgotten kind are counted under this name. */
const OTHER_KIND = "other";
const TOMBSTONE = "field";

/** Returns the values of these facts that match a needle. */
export function matchingFields(connection: Connection, needles: readonly Needle[]): ForgottenField[] {
  const found = COLUMNS.flatMap(([name, table, column]) =>
    connection
      .all<{ value: string }>(`SELECT DISTINCT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`)
      .map(({ value }) => ({ name, value })),
  );
  const kinds = connection
    .all<{ value: string }>("SELECT DISTINCT j.key AS value FROM sources s, json_each(s.skipped) j")
    .map(({ value }) => ({ name: "kind of entry" as const, value }));
  const matching = [...found, ...kinds].filter(({ value }) => matches(value, needles));
  return [...new Map(matching.map((field) => [`${field.name}\n${field.value}`, field])).values()];
}

/** Clears these values everywhere, and keeps them from coming back. */
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
  if (values.size === 0) return;
  const isGone = (value: string) => values.has(value);
  const sources = connection.all<{ id: number; skipped: string; sessions: string; state: string | null }>(
    "SELECT id, skipped, sessions, reader_state AS state FROM sources",
  );
  for (const { id, skipped, sessions, state } of sources) {
    const known: SessionFacts[] = JSON.parse(sessions);
    connection.run(
      "UPDATE sources SET skipped = $skipped, sessions = $sessions, reader_state = $state WHERE id = $id",
      {
        id,
        skipped: JSON.stringify(withoutKinds(JSON.parse(skipped), isGone)),
        sessions: JSON.stringify(known.map((facts) => withoutFields(facts, isGone))),
        state: withoutValues(state, values),
      },
    );
  }
}

/** Returns the batch without facts whose values were forgotten. */
export function withoutForgottenFields(connection: Connection, batch: WriteBatch): WriteBatch {
  if (connection.get("SELECT 1 FROM tombstones WHERE kind = ? LIMIT 1", TOMBSTONE) === null) return batch;
  const known = new Map<string, boolean>();
  const isGone = (value: string) => {
    const gone = known.get(value) ?? hasTombstone(connection, TOMBSTONE, value);
    known.set(value, gone);
    return gone;
  };
  const kept = (value: string | null) => (value !== null && isGone(value) ? null : value);
  const { source } = batch;
  const goneKinds = new Set(Object.keys(source.skipped).filter(isGone));
  return {
    ...batch,
    source: {
      ...source,
      skipped: withoutKinds(source.skipped, isGone),
      sessions: source.sessions.map((facts) => withoutFields(facts, isGone)),
      readerState: withoutValues(source.readerState, goneKinds),
    },
    sessions: batch.sessions.map((facts) => withoutFields(facts, isGone)),
    subagents: batch.subagents.map((facts) => ({ ...facts, agentType: kept(facts.agentType) })),
    compactions: batch.compactions.map((facts) => ({ ...facts, trigger: kept(facts.trigger) })),
    turns: batch.turns.map(({ turn, chunks }) => ({
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

/** Returns what is known of a transcript; of one whose session was forgotten, without the kinds of its lines. */
export function withoutKindsOf(
  source: SourceState,
  stays: (session: { sessionId: string }) => boolean,
): SourceState {
  if (source.sessionId === null || stays({ sessionId: source.sessionId })) return source;
  return {
    ...source,
    skipped: withoutKinds(source.skipped, () => true),
    readerState: withoutValues(source.readerState, new Set(Object.keys(source.skipped))),
  };
}

/** Removes the kinds of lines of a session's transcripts, whose names may come from the transcript. */
export function forgetKinds(connection: Connection, sessionId: string): void {
  const sources = connection.all<{ id: number; skipped: string; state: string | null }>(
    "SELECT id, skipped, reader_state AS state FROM sources WHERE session_id = ?",
    sessionId,
  );
  for (const { id, skipped, state } of sources) {
    const kinds: Record<string, number> = JSON.parse(skipped);
    connection.run("UPDATE sources SET skipped = $skipped, reader_state = $state WHERE id = $id", {
      id,
      skipped: JSON.stringify(withoutKinds(kinds, () => true)),
      state: withoutValues(state, new Set(Object.keys(kinds))),
    });
  }
}

/** Returns the stored name of a transcript: its path, or an alias when the path was forgotten. */
export function sourceName(connection: Connection, path: string): string {
  return hasTombstone(connection, TOMBSTONE, path) ? aliasOf(connection, path) : path;
}

function aliasOf(connection: Connection, path: string): string {
  return `forgotten:${Buffer.from(tombstoneHash(connection, "path", path)).toString("hex")}`;
}

function withoutFields(facts: SessionFacts, isGone: (value: string) => boolean): SessionFacts {
  const kept = (value: string | null) => (value !== null && isGone(value) ? null : value);
  return { ...facts, branch: kept(facts.branch), projectDir: kept(facts.projectDir) };
}

function withoutKinds(
  skipped: Record<string, number>,
  isGone: (kind: string) => boolean,
): Record<string, number> {
  const kept: Record<string, number> = {};
  for (const [kind, lines] of Object.entries(skipped)) {
    const name = isGone(kind) ? OTHER_KIND : kind;
    kept[name] = (kept[name] ?? 0) + lines;
  }
  return kept;
}

/** The state of a reader is opaque here. Replaces forgotten values where they are whole strings in its JSON. */
function withoutValues(state: string | null, values: ReadonlySet<string>): string | null {
  return state === null || values.size === 0
    ? state
    : JSON.stringify(JSON.parse(state, (_, value) => renamed(value, values)));
}

/** Counts of several forgotten names become one. */
function renamed(value: unknown, values: ReadonlySet<string>): unknown {
  if (typeof value === "string") return values.has(value) ? OTHER_KIND : value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const kept = new Map<string, unknown>();
  for (const [key, of] of Object.entries(value)) {
    const name = values.has(key) ? OTHER_KIND : key;
    const before = kept.get(name);
    kept.set(name, typeof before === "number" && typeof of === "number" ? before + of : of);
  }
  return Object.fromEntries(kept);
}
