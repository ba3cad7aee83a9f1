import type { TeamTurn } from "./team.ts";

/** Length of a turn's key. Half a SHA-256 distinguishes turns, and halves the index. */
const KEY_BYTES = 16;

/** Identity of a turn, the same on every machine that reads its transcript. */
export interface TurnIdentity {
  client: string;
  sessionId: string;
  agentId: string | null;
  promptUuid: string | null;
  lineIndex: number | null;
  createdAt: string | null;
}

/** Returns the key of a turn, unique among its author's turns. It stays the same when the transcript is read again. */
export function turnKey(turn: TurnIdentity): Uint8Array {
  const { client, sessionId, agentId, promptUuid, lineIndex, createdAt } = turn;
  const place = promptUuid ?? `${lineIndex ?? ""}\n${createdAt ?? ""}`;
  return sha256([client, sessionId, agentId ?? "", place].join("\n")).subarray(0, KEY_BYTES);
}

/** Returns the hash of a shared turn. It leaves out the vectors, which follow from the text and the model. */
export function hashTurn({ chunks, vectorModel, ...turn }: TeamTurn): Uint8Array {
  const pieces = chunks.map(({ start, end, vector }) => [start, end, vector !== null]);
  return sha256(JSON.stringify([sorted(turn), pieces, vectorModel?.id ?? null]));
}

/** Returns the hash of the removal of a turn. */
export function removalDigest(target: string | null, key: Uint8Array): Uint8Array {
  return sha256(`remove\n${target ?? ""}\n${Buffer.from(key).toString("hex")}`);
}

/** Returns the chain hash after a change with this digest. */
export function chainHash(previous: Uint8Array, digest: Uint8Array): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(previous).update(digest).digest();
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

function sha256(text: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(text).digest();
}

// The column order of a query must not change a digest.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, sorted(item)]),
  );
}

/** Normalises the uuid of an entry. */
export function entryKey(uuid: string): string {
  return /^-*(?:[0-9a-f]{2}-*)+$/i.test(uuid) ? uuid.replaceAll("-", "").toLowerCase() : uuid;
}

/** Returns a key as a uuid in the usual notation; unchanged when it is not one. */
export function uuidOfKey(key: string): string {
  return key.replace(
    /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/,
    "$1-$2-$3-$4-$5",
  );
}
