import * as v from "valibot";
import { UNTRUSTED } from "../../io/untrusted.ts";
import type { FolderRecord, FolderSegment } from "../../store/folder.ts";
import { Place, TravellingTurn } from "../../store/travelling-turn.ts";
import type { FolderFiles } from "./files.ts";
import { keyId, readCounter, seal, unseal } from "./key.ts";

/** The file of a writer that says what its directory holds. */
export const MANIFEST_NAME = "manifest";
/** Maximum size of a manifest, enough for half a million forgotten turns. */
export const MANIFEST_BYTES: number = UNTRUSTED.manifestBytes;
/** Version of the format. */
const FORMAT = 1;

const WRITER = /^[0-9a-f]{16}$/;
const SEGMENT = /^\d{1,15}-\d{1,15}-[0-9a-f]{16}\.seg$/;
const Hex = v.pipe(v.string(), v.regex(/^[0-9a-f]+$/));
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const WriterId = v.pipe(v.string(), v.regex(WRITER));
const Name = v.pipe(v.string(), v.maxLength(100));

const ManifestSchema = v.object({
  version: v.literal(FORMAT),
  writer: WriterId,
  counter: Count,
  device: v.object({ id: WriterId, name: Name }),
  /** The name of the project: from its remote's URL, or as `--as` gave it. */
  project: v.string(),
  /** ISO 8601. */
  time: v.string(),
  segments: v.array(
    v.object({
      name: v.pipe(v.string(), v.regex(SEGMENT)),
      first: Count,
      last: Count,
      records: Count,
      bytes: Count,
      hash: Hex,
    }),
  ),
  /** Keys of turns that are gone for good, hex. */
  gone: v.array(Hex),
  /** The counters of other writers that this one saw. */
  seen: v.record(WriterId, Count),
  /** Writers whose records this one, or another, puts now. */
  over: v.array(WriterId),
  /** The id of the key that replaces this one; null while it is in use. */
  rotatedTo: v.nullable(Hex),
});

/** What a writer says of its directory. */
export interface Manifest extends v.InferOutput<typeof ManifestSchema> {
  segments: FolderSegment[];
}

/** A manifest that was opened, with the hash of the file, hex. */
export interface OpenManifest {
  manifest: Manifest;
  hash: string;
}

export function isWriterId(name: string): boolean {
  return WRITER.test(name);
}

export function isSegmentName(name: string): boolean {
  return SEGMENT.test(name);
}

/** Tells whether a name is that of a file which mementor wrote, or of a copy that a synchroniser made of one. */
export function isOfMementor(name: string): boolean {
  return name.startsWith(MANIFEST_NAME) || /^\d{1,15}-\d{1,15}-[0-9a-f]{16}/.test(name);
}

/** Returns a manifest as the bytes of its file. */
export function sealManifest(key: Uint8Array, project: string, manifest: Manifest): Promise<Uint8Array> {
  const plain = Bun.zstdCompressSync(Buffer.from(JSON.stringify(manifest)));
  return seal(key, { project, writer: manifest.writer, name: MANIFEST_NAME }, manifest.counter, plain);
}

/** Opens a manifest; null when it is not one that this writer sealed with this key, for this project. */
export async function openManifest(
  key: Uint8Array,
  project: string,
  writer: string,
  sealed: Uint8Array,
): Promise<OpenManifest | null> {
  const plain = await unseal(key, { project, writer, name: MANIFEST_NAME }, sealed);
  if (plain === null) return null;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ManifestSchema), textOf(plain));
  if (!parsed.success || parsed.output.writer !== writer || parsed.output.counter !== readCounter(sealed))
    return null;
  return { manifest: parsed.output, hash: hashOf(sealed) };
}

/**
 * Returns a function that reads the manifests of a key, and says of each whether it was read at all. Anybody can put large files
 * there, and a forgery shows only on opening, so at most `forgedBytes` are read from unknown writers.
 */
export function manifestReader(
  files: Pick<FolderFiles, "read">,
  key: Uint8Array,
  known: ReadonlySet<string>,
): (tag: string, writer: string) => Promise<{ open: OpenManifest | null; isRead: boolean }> {
  let left: number = UNTRUSTED.forgedBytes;
  return async (tag, writer) => {
    const most = known.has(writer) ? MANIFEST_BYTES : Math.min(MANIFEST_BYTES, left);
    const sealed = await files.read([keyId(key), tag, writer, MANIFEST_NAME], most);
    const open = sealed && (await openManifest(key, tag, writer, sealed));
    if (open === null && !known.has(writer)) left -= sealed?.length ?? 0;
    return { open, isRead: sealed !== null };
  };
}

function textOf(compressed: Uint8Array): string {
  try {
    return new TextDecoder().decode(Bun.zstdDecompressSync(new Uint8Array(compressed)));
  } catch {
    return "";
  }
}

/** SHA-256, hex. */
function hashOf(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

const Text = v.nullable(v.string());
const Key = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/));
const Writer = v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/));

const Turn = v.object({
  ...TravellingTurn.entries,
  chunks: v.array(v.object({ chunkIndex: Place, start: Place, end: Place, hasVector: v.boolean() })),
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
export interface SegmentPlace {
  key: Uint8Array;
  /** The tag of the project. */
  project: string;
  writer: string;
}

/** Seals records as one file. The name is new: nothing is ever written in another file's place. */
export async function sealSegment(
  { key, project, writer }: SegmentPlace,
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

/** Opens a segment. Returns the reason as a text if it differs from its writer's list. */
export async function openSegment(
  { key, project, writer }: SegmentPlace,
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
  return { ...record, turn: { ...record.turn, chunks } };
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
