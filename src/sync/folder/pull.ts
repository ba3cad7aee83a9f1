import { UNTRUSTED } from "../../io/untrusted.ts";
import type { FolderApplied, FolderSegment, FolderWriter } from "../../store/folder.ts";
import {
  isWriterId,
  MANIFEST_BYTES,
  MANIFEST_NAME,
  type Manifest,
  manifestReader,
  type OpenManifest,
  openSegment,
} from "./manifest.ts";
import { type FolderRequest, projectPath, runStep, shelfOf } from "./settings.ts";

/** Records that are stored in one transaction, so that hooks can write in between. */
const RECORDS_PER_STEP = 25;

/** Reads the manifests of the project that are sealed with a key. */
export async function readManifests(
  { store, files, project }: Pick<FolderRequest, "store" | "files" | "project">,
  key: Uint8Array,
): Promise<Found[]> {
  const [tree, tag] = projectPath(key, project);
  const heardOf = (await store.writers()).filter(({ hash }) => hash !== "").map(({ writer }) => writer);
  const known = new Set([...heardOf, (await store.self())?.writer ?? ""]);
  const read = manifestReader(files, key, known);
  const there = (await files.list([tree, tag])).filter(isWriterId);
  const strange = there.filter((writer) => !known.has(writer)).slice(0, UNTRUSTED.strangeWriters);
  const found: Found[] = [];
  for (const writer of [...there.filter((each) => known.has(each)), ...strange]) {
    const { open, isRead } = await read(tag, writer);
    if (open) found.push({ writer, open, problem: null });
    else if (isRead) found.push({ writer, open: null, problem: "its manifest is damaged" });
    else {
      const isThere = (await files.list([tree, tag, writer])).includes(MANIFEST_NAME);
      found.push({ writer, open: null, problem: isThere ? UNREAD : "its manifest is missing" });
    }
  }
  return found;
}

const UNREAD = `its manifest is larger than ${MANIFEST_BYTES >> 20} MB, or not a regular file`;

/** Reads a writer's new segments. Reports unreadable ones, which are tried again later. */
export async function pullWriter(
  request: FolderRequest,
  { open: { manifest, hash }, problem }: Judged,
  known: FolderWriter | undefined,
): Promise<FolderApplied & { isComplete: boolean }> {
  const { store, now } = request;
  const total = { added: 0, updated: 0, isComplete: problem === null };
  const writer = stateOf(manifest, known, now());
  if (problem !== null) {
    await runStep(request, () => store.saveWriter({ ...writer, problem }));
    return total;
  }
  writer.counter = manifest.counter;
  writer.hash = hash;
  const problems: string[] = [];
  for (const segment of manifest.segments) {
    if (coversRange(writer.ranges, segment.first, segment.last)) continue;
    const read = await takeSegment(request, manifest.writer, segment);
    if (typeof read === "string") {
      problems.push(`${segment.name} ${read}`);
      continue;
    }
    total.added += read.added;
    total.updated += read.updated;
    writer.ranges = withRange(writer.ranges, segment.first, segment.last);
    await runStep(request, () => store.saveWriter(writer));
  }
  writer.problem = problems.length === 0 ? null : summary(problems);
  total.isComplete = problems.length === 0;
  if (!isSame(writer, known)) await runStep(request, () => store.saveWriter(writer));
  return total;
}

async function takeSegment(
  request: FolderRequest,
  writer: string,
  segment: FolderSegment,
): Promise<FolderApplied | string> {
  const { store, files, key, project, until } = request;
  const { path, ...shelf } = shelfOf(key, project, writer);
  const sealed = await files.read([...path, segment.name], segment.bytes);
  if (sealed === null) return "is not there yet";
  const records = await openSegment(shelf, segment, sealed);
  if (typeof records === "string") return records;
  const total = { added: 0, updated: 0 };
  for (let at = 0; at < records.length; at += RECORDS_PER_STEP) {
    const some = records.slice(at, at + RECORDS_PER_STEP);
    const { added, updated } = await runStep(request, () => store.apply(writer, some, until));
    total.added += added;
    total.updated += updated;
  }
  return total;
}

function stateOf(manifest: Manifest, known: FolderWriter | undefined, now: string): FolderWriter {
  const { writer, device, segments, counter, time } = manifest;
  return {
    ...unknownWriter(writer),
    ...known,
    deviceId: device.id,
    name: device.name,
    writtenAt: time,
    problem: null,
    seenAt: known?.counter === counter ? known.seenAt : now,
    records: segments.reduce((sum, { records }) => sum + records, 0),
    bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Returns the state of a writer whose manifest has not been read yet. */
export function unknownWriter(writer: string): FolderWriter {
  return {
    writer,
    deviceId: writer,
    name: "",
    counter: 0,
    hash: "",
    ranges: [],
    writtenAt: null,
    seenAt: null,
    records: 0,
    bytes: 0,
    unaware: 0,
    problem: null,
    isOver: false,
  };
}

function isSame(writer: FolderWriter, known: FolderWriter | undefined): boolean {
  return known?.hash === writer.hash && known.problem === writer.problem && known.seenAt !== null;
}

function summary(problems: readonly string[]): string {
  const [first = "", ...others] = problems;
  return others.length === 0 ? first : `${first}, and ${others.length} more files`;
}

/** Ordered pairs of a first and a last number, which neither overlap nor touch. */
type Ranges = readonly (readonly [first: number, last: number])[];

/** Tells whether all numbers from `first` to `last` are in the ranges. */
export function coversRange(ranges: Ranges, first: number, last: number): boolean {
  return ranges.some(([from, to]) => from <= first && last <= to);
}

/** Adds the numbers from `first` to `last`. */
export function withRange(ranges: Ranges, first: number, last: number): [number, number][] {
  const all = [...ranges, [first, last] as const].sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [from, to] of all) {
    const before = joined.at(-1);
    if (before !== undefined && from <= before[1] + 1) before[1] = Math.max(before[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** Content of a writer's directory: its manifest, or why there is no valid one. */
type Found = { writer: string } & ({ open: OpenManifest; problem: null } | { open: null; problem: string });

/** A manifest with the reason for ignoring it; null if it is good. */
interface Judged {
  open: OpenManifest;
  problem: string | null;
}

/**
 * Checks that each manifest is its writer's latest known state: its counter must not be below what this memory or any other
 * manifest has seen.
 */
export function checkManifests(
  found: readonly OpenManifest[],
  known: ReadonlyMap<string, Pick<FolderWriter, "counter" | "hash">>,
  acceptsOlder: boolean,
): Judged[] {
  const seen = new Map<string, { counter: number; by: string }>();
  for (const { manifest } of found)
    for (const [writer, counter] of Object.entries(manifest.seen))
      if (counter > (seen.get(writer)?.counter ?? 0)) seen.set(writer, { counter, by: manifest.device.name });
  return found.map((open) => {
    const { writer, counter } = open.manifest;
    const before = known.get(writer) ?? { counter: 0, hash: "" };
    const other = seen.get(writer);
    if (counter === before.counter && before.hash !== "" && open.hash !== before.hash)
      return { open, problem: "two different states of it have the same number: was its memory copied?" };
    if (acceptsOlder) return { open, problem: null };
    if (counter < before.counter) return { open, problem: "it is older than the state seen here before" };
    if (other !== undefined && counter < other.counter)
      return { open, problem: `it is older than the state that ${other.by} has seen` };
    return { open, problem: null };
  });
}
