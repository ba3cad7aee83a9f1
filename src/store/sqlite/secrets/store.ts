import { clean, secretsIn } from "../../../redact/gate.ts";
import { RULES_VERSION } from "../../../redact/version.ts";
import { isMeasured } from "../../../turn/parts.ts";
import type { CleanStep, FoundSecret, ScanStep, SecretStore } from "../../store.ts";
import { decodeParts } from "../../turn-rows.ts";
import type { Connection } from "../connection/connection.ts";
import { readMeta, removeMeta, writeMeta } from "../connection/meta.ts";
import { markUncompacted } from "../forget/compact.ts";
import { keepWording } from "../forget/wordings.ts";
import { TEXT, type TextRow } from "../turns/texts.ts";
import { replaceText } from "../write/replace.ts";
import { uncleanValues } from "./columns.ts";
import { CLEAN } from "./rules-version.ts";

/** Number of turns to check in one step. */
const STEP = 100;
/** The version of the rules that cleaned the whole memory, and how far a later version has come. */
const DONE = "secret_rules";
const PROGRESS = "secret_rules_progress";
/** How many secrets the last look through the memory found and left there. */
const FOUND = "secret_found";

export function secretStore(connection: Connection): SecretStore {
  return {
    find: async (after) => connection.snapshot(() => find(connection, after)),
    clean: async (after) => connection.transaction(() => cleanStep(connection, after)),
    async due() {
      if (numberIn(connection, DONE) === RULES_VERSION) return null;
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
  const sql = `SELECT ${TEXT} FROM turns t WHERE t.id > ? ORDER BY t.id LIMIT ?`;
  return connection.all<TextRow>(sql, after, limit);
}

/** Returns the secrets that today's rules find in a turn's text. */
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
 * Removes secrets from a turn's text, its chunks and both keyword indexes, and finds its parts again where they are not those of
 * the text. Returns false when there was neither.
 */
function cleanTurn(connection: Connection, { id, text, parts }: TextRow): boolean {
  const before = { text, parts: decodeParts(parts) };
  if (clean(text) === text && isMeasured(before)) return false;
  keepWording(connection, id, before);
  replaceText(connection, id, before, []);
  return true;
}
