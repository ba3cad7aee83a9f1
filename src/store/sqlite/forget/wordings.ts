import type { Turn } from "../../../domain.ts";
import { MementorError } from "../../../errors.ts";
import type { TurnText } from "../../../turn/text.ts";
import { hashWording, type Wording } from "../../../turn/wording.ts";
import { decodeParts } from "../../turn-rows.ts";
import type { Connection } from "../connection/connection.ts";
import { eachTurn, TEXT_SQL, type TextRow } from "../turns/columns.ts";
import { hasTombstoneHash, insertTombstoneHash, tombstoneHash } from "./tombstone-hash.ts";

/** Kind of the tombstones for the words of a forgotten turn. */
const WORDS_KIND = "said";

type Said = TurnText & Pick<Turn, "wording">;

/** Stores the wording of a turn before secrets were removed, in place of an earlier one. */
export function writeWording(connection: Connection, turnId: number, wording: Wording | null): void {
  connection.run("DELETE FROM turn_wordings WHERE turn_id = ?", turnId);
  if (wording !== null) addWording(connection, turnId, wording);
}

/** Stores the current wording of a turn whose text is about to change, unless the original wording is stored. */
export function keepWording(connection: Connection, turnId: number, text: TurnText): void {
  const isKnown = connection.get("SELECT 1 FROM turn_wordings WHERE turn_id = ? LIMIT 1", turnId) !== null;
  if (!isKnown) addWording(connection, turnId, hashWording(text));
}

function addWording(connection: Connection, turnId: number, { turn }: Wording): void {
  if (!hasKey(connection)) return;
  for (const value of turn)
    connection.run(
      "INSERT OR IGNORE INTO turn_wordings (turn_id, hash) VALUES (?, ?)",
      turnId,
      tombstoneHash(connection, WORDS_KIND, value),
    );
}

/**
 * Tells whether the hash key can be read. A damaged key must not keep turns from being stored; the user learns of it when
 * forgetting.
 */
function hasKey(connection: Connection): boolean {
  try {
    connection.tombstoneKey();
    return true;
  } catch (error) {
    if (error instanceof MementorError) return false;
    throw error;
  }
}

/** Tells whether a turn with these words was forgotten anywhere. */
export function hasForgottenWords(connection: Connection, turn: Said): boolean {
  if (!hasSaid(connection)) return false;
  const values = [...hashWording(turn).turn, ...(turn.wording?.turn ?? [])];
  return values.some((value) => isSaid(connection, value));
}

/** Tells whether the forward context of a turn is the prompt of a forgotten one. */
export function quotesForgotten(connection: Connection, turn: Said): boolean {
  if (!hasSaid(connection)) return false;
  const values = [hashWording(turn).forward, turn.wording?.forward ?? null];
  return values.some((value) => value !== null && isSaid(connection, value));
}

function hasSaid(connection: Connection): boolean {
  return connection.get("SELECT 1 FROM tombstones WHERE kind = ? LIMIT 1", WORDS_KIND) !== null;
}

function isSaid(connection: Connection, value: string): boolean {
  return hasTombstoneHash(connection, WORDS_KIND, tombstoneHash(connection, WORDS_KIND, value));
}

/**
 * Keeps the words of these turns from coming back, except words that other turns share. Must run before the turns are removed.
 * Returns the remaining turns that quote one of them as forward context.
 */
export function buryWordings(connection: Connection, turnIds: readonly number[]): number[] {
  const gone = new Set(turnIds);
  const said = new Map<string, Uint8Array>();
  const quoting: { id: number; forward: string }[] = [];
  const staying = new Set<string>();
  for (const { id, wording, stored } of wordedTurns(connection)) {
    const hashes = [...wording.turn.map((value) => tombstoneHash(connection, WORDS_KIND, value)), ...stored];
    if (gone.has(id)) for (const hash of hashes) said.set(hex(hash), hash);
    else for (const hash of hashes) staying.add(hex(hash));
    if (!gone.has(id) && wording.forward !== null)
      quoting.push({ id, forward: hex(tombstoneHash(connection, WORDS_KIND, wording.forward)) });
  }
  for (const [name, hash] of said) if (!staying.has(name)) insertTombstoneHash(connection, WORDS_KIND, hash);
  return quoting.filter(({ forward }) => said.has(forward) && !staying.has(forward)).map(({ id }) => id);
}

/** Returns the user's other turns with the same words, unless they may be a coincidence. */
export function findCopies(connection: Connection, turnIds: ReadonlySet<number>): number[] {
  const turns = [...wordedTurns(connection)].map(({ id, wording, stored }) => ({
    id,
    copy: wording.copy,
    said: [...wording.turn, ...stored.map(hex)],
  }));
  const copied = new Set(
    turns.flatMap(({ id, copy }) =>
      copy !== null && turnIds.has(id) ? [copy, hex(tombstoneHash(connection, WORDS_KIND, copy))] : [],
    ),
  );
  return turns
    .filter(({ id, said }) => !turnIds.has(id) && said.some((value) => copied.has(value)))
    .map(({ id }) => id);
}

interface WordedTurn {
  id: number;
  wording: Wording;
  /** Hashes of its words before secrets were removed. */
  stored: Uint8Array[];
}

/** Yields the turns that are not a colleague's, with their wordings. */
function* wordedTurns(connection: Connection): Iterable<WordedTurn> {
  const columns = `${TEXT_SQL}, (SELECT json_group_array(hex(w.hash)) FROM turn_wordings w WHERE w.turn_id = t.id) AS stored`;
  const rows = eachTurn<TextRow & { stored: string }>(connection, { columns, where: "t.author IS NULL" });
  for (const { id, text, parts, stored } of rows) {
    const hashes: string[] = JSON.parse(stored);
    yield {
      id,
      wording: hashWording({ text, parts: decodeParts(parts) }),
      stored: hashes.map((hash) => Uint8Array.fromHex(hash)),
    };
  }
}

function hex(hash: Uint8Array): string {
  return hash.toHex();
}
