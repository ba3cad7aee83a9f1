import type { FolderRecord, FolderSelf, OwnSegment } from "../../store/folder.ts";
import { isOfMementor, MANIFEST_NAME, openSegment, type SegmentPlace, sealSegment } from "./manifest.ts";
import { type FolderRequest, runStep, shelfOf } from "./settings.ts";

/** Sizes of segments: about as many characters of text at most, and fewer bytes count as small. */
const SEGMENT = { chars: 4_000_000, records: 1_000, smallBytes: 256_000 } as const;
/** Number of small segments from which they are merged. */
const SMALL_ONES = 8;

interface Writing extends FolderRequest {
  shelf: SegmentPlace;
  path: string[];
}

/** Writes what changed here into segments. The manifest must be written then. Returns how many records were put. */
export async function writeSegments(request: FolderRequest, self: FolderSelf): Promise<number> {
  const { path, ...shelf } = shelfOf(request.key, request.project, self.writer);
  const writing = { ...request, shelf, path };
  const there = new Set(await request.files.list(path));
  const lost: string[] = [];
  for (const segment of await request.store.segments()) {
    const isThere = there.has(segment.name);
    if (isThere && segment.live === segment.records) continue;
    if (segment.live === 0) await runStep(request, () => request.store.dropSegment(segment.name));
    else if (!(await rewrite(writing, [segment], isThere ? [shelf] : formerSegmentPlaces(request, self))))
      lost.push(segment.name);
  }
  await mergeSmall(writing);
  const waiting = await runStep(request, () => request.store.requeue(lost));
  return writeNew(writing, waiting);
}

/** Returns the directories that may contain segments sealed with an earlier key. */
function formerSegmentPlaces({ formerKeys, project }: FolderRequest, { writer }: FolderSelf): SegmentPlace[] {
  return formerKeys.map((key) => shelfOf(key, project, writer));
}

/** Merges the remaining records of segments into one. Returns false when they cannot be read. */
async function rewrite(
  writing: Writing,
  segments: readonly OwnSegment[],
  shelves: readonly SegmentPlace[],
): Promise<boolean> {
  const { store } = writing;
  const records: FolderRecord[] = [];
  for (const segment of segments) {
    const read = await readOwn(writing, segment, shelves);
    if (read === null) return false;
    const live = await store.liveIn(segment.name);
    records.push(...read.filter(({ seq }) => live.has(seq)));
  }
  const [first, last] = [segments[0]?.first ?? 0, segments.at(-1)?.last ?? 0];
  await write(
    writing,
    records,
    { first, last },
    segments.map(({ name }) => name),
  );
  return true;
}

async function readOwn(
  { files, project }: Writing,
  segment: OwnSegment,
  shelves: readonly SegmentPlace[],
): Promise<FolderRecord[] | null> {
  for (const shelf of shelves) {
    const sealed = await files.read(
      [...shelfOf(shelf.key, project, shelf.writer).path, segment.name],
      segment.bytes,
    );
    const read = sealed && (await openSegment(shelf, segment, sealed));
    if (read !== null && typeof read !== "string") return read;
  }
  return null;
}

async function mergeSmall(writing: Writing): Promise<void> {
  const segments = await writing.store.segments();
  if (segments.filter(({ bytes }) => bytes < SEGMENT.smallBytes).length < SMALL_ONES) return;
  for (const group of groupSegments(segments)) await rewrite(writing, group, [writing.shelf]);
}

/** Neighbours that are small, together not larger than a segment becomes. */
export function groupSegments<Segment extends Pick<OwnSegment, "bytes" | "records">>(
  segments: readonly Segment[],
): Segment[][] {
  const groups: Segment[][] = [[]];
  let [bytes, records] = [0, 0];
  for (const segment of segments) {
    const isSmall = segment.bytes < SEGMENT.smallBytes;
    const fits = bytes + segment.bytes <= SEGMENT.chars / 2 && records + segment.records <= SEGMENT.records;
    if (!isSmall || !fits) {
      groups.push([]);
      [bytes, records] = [0, 0];
    }
    if (!isSmall) continue;
    groups.at(-1)?.push(segment);
    bytes += segment.bytes;
    records += segment.records;
  }
  return groups.filter((group) => group.length > 1);
}

/** Writes the new records, `waiting` first. Returns their number. */
async function writeNew(writing: Writing, waiting: readonly FolderRecord[]): Promise<number> {
  const { store, exclusions } = writing;
  let batch = [...waiting];
  let written = 0;
  const flush = async () => {
    const last = batch.at(-1)?.seq;
    if (last === undefined) return;
    const before = (await store.segments()).at(-1)?.last ?? 0;
    await write(writing, batch, { first: before + 1, last }, []);
    written += batch.length;
    batch = [];
  };
  for (;;) {
    const some = await runStep(writing, () => store.outgoing(exclusions));
    if (some === null) break;
    batch.push(...some);
    const chars = batch.reduce(
      (sum, record) => sum + (record.kind === "turn" ? record.turn.text.length : 0),
      0,
    );
    if (chars >= SEGMENT.chars || batch.length >= SEGMENT.records) await flush();
  }
  await flush();
  return written;
}

async function write(
  writing: Writing,
  records: readonly FolderRecord[],
  span: { first: number; last: number },
  replaces: readonly string[],
): Promise<void> {
  const { store, files, shelf, path } = writing;
  const { segment, bytes } = await sealSegment(shelf, records, span);
  const seqs = records.map(({ seq }) => seq);
  await runStep(writing, () => store.saveSegment(segment, seqs, replaces));
  await files.write([...path, segment.name], bytes);
}

/** Removes from one's own directory what its manifest does not list. */
export async function removeUnlisted(
  { files, store, key, project }: FolderRequest,
  { writer }: FolderSelf,
): Promise<void> {
  const { path } = shelfOf(key, project, writer);
  const listed = new Set((await store.segments()).map(({ name }) => name));
  for (const name of (await files.list(path)).filter(isOfMementor))
    if (name !== MANIFEST_NAME && !listed.has(name)) await files.remove([...path, name]);
}
