import * as v from "valibot";
import { UNTRUSTED } from "../../io/untrusted.ts";
import type { FolderSegment } from "../../store/folder.ts";
import type { FolderFiles } from "./files.ts";
import { counterOf, keyId, seal, unseal } from "./key.ts";

/** The file of a writer that says what its directory holds. */
export const MANIFEST = "manifest";
/** A manifest is no larger: a device has to forget half a million turns before its own one is. */
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
  /** The project, as a team names it. */
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

/** Whether a name is that of a file which mementor wrote, or of a copy that a synchroniser made of one. */
export function isOfMementor(name: string): boolean {
  return name.startsWith(MANIFEST) || /^\d{1,15}-\d{1,15}-[0-9a-f]{16}/.test(name);
}

/** Returns a manifest as the bytes of its file. */
export function sealManifest(key: Uint8Array, project: string, manifest: Manifest): Promise<Uint8Array> {
  const plain = Bun.zstdCompressSync(Buffer.from(JSON.stringify(manifest)));
  return seal(key, { project, writer: manifest.writer, name: MANIFEST }, manifest.counter, plain);
}

/** Opens a manifest; null when it is not one that this writer sealed with this key, for this project. */
export async function openManifest(
  key: Uint8Array,
  project: string,
  writer: string,
  sealed: Uint8Array,
): Promise<OpenManifest | null> {
  const plain = await unseal(key, { project, writer, name: MANIFEST }, sealed);
  if (plain === null) return null;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ManifestSchema), textOf(plain));
  if (!parsed.success || parsed.output.writer !== writer || parsed.output.counter !== counterOf(sealed))
    return null;
  return { manifest: parsed.output, hash: hashOf(sealed) };
}

/**
 * Returns a function that reads the manifests of a key, and says of each whether it was read at all. Anybody can put large files
 * there, and only who opens one sees that nobody with the key wrote it: of writers that were never heard of no more is read
 * than `forgedBytes` in vain.
 */
export function manifestReader(
  files: Pick<FolderFiles, "read">,
  key: Uint8Array,
  known: ReadonlySet<string>,
): (tag: string, writer: string) => Promise<{ open: OpenManifest | null; isRead: boolean }> {
  let left: number = UNTRUSTED.forgedBytes;
  return async (tag, writer) => {
    const most = known.has(writer) ? MANIFEST_BYTES : Math.min(MANIFEST_BYTES, left);
    const sealed = await files.read([keyId(key), tag, writer, MANIFEST], most);
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
export function hashOf(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
