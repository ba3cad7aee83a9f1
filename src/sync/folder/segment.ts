import * as v from "valibot";
import type { FolderRecord, FolderSegment } from "../../store/folder.ts";
import { Place, TravellingTurn } from "../../store/travelling-turn.ts";
import { seal, unseal } from "./key.ts";
import { hashOf } from "./manifest.ts";

const Text = v.nullable(v.string());
const Key = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/));
const Writer = v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/));

const Turn = v.object({
  ...TravellingTurn.entries,
  chunks: v.array(v.object({ chunkIndex: Place, start: Place, end: Place, hasVector: v.boolean() })),
});

/** The length of a line that a cure may hold: those of a transcript are cut far shorter. */
const Line = v.pipe(v.string(), v.maxLength(10_000));

const Cure = v.object({
  errors: v.array(v.object({ form: Line, text: Line })),
  kinds: v.array(Line),
  failed: Line,
  call: v.nullable(Line),
  isBefore: v.boolean(),
  calls: Place,
  change: v.nullable(v.object({ path: Line, line: Line })),
  said: v.nullable(v.object({ text: Line, isThinking: v.boolean() })),
});

/** A record as a segment holds it: of a chunk's vector, whether there is one. */
const RecordSchema = v.variant("kind", [
  v.object({
    seq: Place,
    kind: v.literal("turn"),
    key: Key,
    home: v.nullable(v.object({ writer: Writer, name: v.pipe(v.string(), v.maxLength(100)) })),
    cleans: v.nullable(v.object({ writer: Writer, seq: Place })),
    turn: Turn,
    cures: v.optional(v.array(Cure), []),
  }),
  v.object({
    seq: Place,
    kind: v.literal("mark"),
    key: Key,
    mark: v.object({
      mark: v.pipe(v.string(), v.maxLength(100)),
      isOn: v.boolean(),
      time: v.string(),
      answer: v.nullable(v.object({ kind: v.picklist(["good", "bad"]), prompt: Text, subject: Text })),
    }),
  }),
]);

type WrittenRecord = v.InferOutput<typeof RecordSchema>;

/** A segment and the bytes of its file. */
interface SealedSegment {
  segment: FolderSegment;
  bytes: Uint8Array;
}

/** Where segments are written, and with which key. */
export interface Shelf {
  key: Uint8Array;
  /** The tag of the project. */
  project: string;
  writer: string;
}

/** Seals records as one file. The name is new: nothing is ever written in another file's place. */
export async function sealSegment(
  { key, project, writer }: Shelf,
  records: readonly FolderRecord[],
  { first, last }: Pick<FolderSegment, "first" | "last">,
): Promise<SealedSegment> {
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString("hex");
  const name = `${first}-${last}-${random}.seg`;
  const bytes = await seal(key, { project, writer, name }, last, await encodeRecords(records));
  return {
    segment: { name, first, last, records: records.length, bytes: bytes.length, hash: hashOf(bytes) },
    bytes,
  };
}

/** Opens a segment; a text that says why not when it is not what its writer listed. */
export async function openSegment(
  { key, project, writer }: Shelf,
  { name, bytes, hash }: FolderSegment,
  sealed: Uint8Array,
): Promise<FolderRecord[] | string> {
  if (sealed.length !== bytes) return "is not there as a whole";
  if (hashOf(sealed) !== hash) return "is damaged";
  const plain = await unseal(key, { project, writer, name }, sealed);
  return plain === null
    ? "was not written by this device"
    : ((await decodeRecords(plain)) ?? "cannot be read");
}

/**
 * Records as JSON, compressed, and behind it their vectors in half precision: numbers hardly compress. The content of a
 * chunk is that of its text.
 */
export async function encodeRecords(records: readonly FolderRecord[]): Promise<Uint8Array> {
  const vectors: Float16Array[] = [];
  const written = records.map((record) =>
    record.kind === "mark" ? record : withoutVectors(record, vectors),
  );
  const json = await Bun.zstdCompress(Buffer.from(JSON.stringify(written)));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(json.length);
  return Buffer.concat([head, json, ...vectors.map(bytesOf)]);
}

/** Reads what `encodeRecords` wrote; null for anything else. */
export async function decodeRecords(plain: Uint8Array): Promise<FolderRecord[] | null> {
  try {
    const length = Buffer.from(plain.buffer, plain.byteOffset).readUInt32BE(0);
    const json = await Bun.zstdDecompress(new Uint8Array(plain.subarray(4, 4 + length)));
    const parsed = v.safeParse(v.array(RecordSchema), JSON.parse(new TextDecoder().decode(json)));
    if (!parsed.success) return null;
    const halves = new Uint8Array(plain.subarray(4 + length));
    if (halves.length % 2 !== 0) return null;
    return withVectors(parsed.output, new Float16Array(halves.buffer));
  } catch {
    return null;
  }
}

function withoutVectors(
  record: Extract<FolderRecord, { kind: "turn" }>,
  vectors: Float16Array[],
): WrittenRecord {
  const chunks = record.turn.chunks.map(({ vector, content: _, ...chunk }) => {
    if (vector !== null) vectors.push(Float16Array.from(vector));
    return { ...chunk, hasVector: vector !== null };
  });
  const { turn, cures } = record;
  return { ...record, turn: { ...turn, chunks }, cures: [...cures] };
}

function withVectors(records: readonly WrittenRecord[], halves: Float16Array): FolderRecord[] {
  let at = 0;
  const next = (dimensions: number): Float32Array => {
    const vector = Float32Array.from(halves.subarray(at, at + dimensions));
    at += dimensions;
    return vector;
  };
  return records.map((record) => {
    if (record.kind === "mark") return record;
    const dimensions = record.turn.vectorModel?.dimensions ?? 0;
    const chunks = record.turn.chunks.map(({ hasVector, ...chunk }) => ({
      ...chunk,
      content: record.turn.text.slice(chunk.start, chunk.end),
      vector: hasVector ? next(dimensions) : null,
    }));
    return { ...record, turn: { ...record.turn, chunks } };
  });
}

function bytesOf(vector: Float16Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
