import { sameBytes } from "../../store/identity.ts";
import type { AppliedChanges, TeamServer, TeamStore } from "../../store/team.ts";
import {
  type DeviceName,
  type Exclusions,
  type OutgoingChange,
  type Position,
  type Retention,
  START,
} from "../../store/team.ts";

export interface SyncRequest {
  store: TeamStore;
  server: TeamServer;
  exclusions: Exclusions;
  /** Current limits for keeping colleagues' turns. */
  keep: Retention;
  /** True if no other process syncs this memory, so that unsent changes may be renumbered. */
  isAlone: boolean;
  /** Runs a step that writes to the memory, one process at a time. Null when the process is interrupted. */
  locked: <Result>(step: () => Promise<Result>) => Promise<Result | null>;
  /** Called after turns of the team were removed here and before anything is sent, to remove what quotes them. */
  onRemoval?: () => Promise<void>;
  signal: AbortSignal;
}

/** How many times one sync starts again because its device turned out to be a copy. */
const MAX_ATTEMPTS = 4;
/** Limits of a batch: the number of changes, and about the number of characters. */
const BATCH = { changes: 500, chars: 2_000_000 } as const;

export interface SyncResult extends AppliedChanges {
  pushed: number;
}

/**
 * Pulls remote changes and pushes local ones. Every step can be repeated: after a crash, the next sync continues from the state
 * of the server and the memory.
 */
export async function syncMemory(request: SyncRequest): Promise<SyncResult> {
  // A memory that was restored from a backup first gets a new device id. Its former device then counts as another one, and
  // turns that it unshared are pulled before anything is pushed.
  const own = await ownPosition(request);
  const pulled = await pullChanges(request, own?.devices);
  if (pulled.removed > 0) await request.onRemoval?.();
  return { ...pulled, pushed: await pushChanges(request) };
}

/** Sends the changes that the server does not have. Returns the number of turns that were sent or removed. */
export async function pushChanges(request: SyncRequest): Promise<number> {
  const { store, exclusions, locked, signal } = request;
  while (!signal.aborted && (await locked(() => store.noteChanges(exclusions))) === true);
  let sent = 0;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && !signal.aborted; attempt++) {
    const from = await ownPosition(request);
    if (from === null) break;
    const batches = await sendFrom(request, from);
    sent += batches.sent;
    if (batches.isComplete) break;
  }
  return sent;
}

type Devices = Awaited<ReturnType<TeamServer["devices"]>>;

interface OwnPosition extends Position {
  deviceId: string;
  /** All devices of the project, as the server has them. */
  devices: Devices;
}

/** Returns the device and its last change that the server has; null without a team, or when the process is interrupted. */
async function ownPosition({ store, server, locked }: SyncRequest): Promise<OwnPosition | null> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const membership = await store.membership();
    if (membership === null) return null;
    const { deviceId } = membership;
    const devices = await server.devices();
    const at = devices.find((device) => nameOf(device) === nameOf(membership)) ?? START;
    if (await store.knows(at)) return { number: at.number, chain: at.chain, deviceId, devices };
    // Another copy of this memory has used these numbers, so this one needs its own.
    if ((await locked(() => store.renew())) === null) return null;
  }
  return null;
}

/**
 * Sends batches until everything is sent, or until the server has another position of the device, because another copy of it was
 * faster. Reads the next batch while the server stores one.
 */
async function sendFrom(
  request: SyncRequest,
  start: Position & { deviceId: string },
): Promise<{ sent: number; isComplete: boolean }> {
  const { store, server, isAlone, locked, signal } = request;
  const ends = (isAlone ? await locked(() => store.putInOrder(start.number)) : null) ?? [];
  const after = (number: number) =>
    batchAfter(request, number, ends.find((end) => end > number) ?? Number.MAX_SAFE_INTEGER);
  let from: Position = start;
  let sent = 0;
  for (let changes = await after(from.number); ; ) {
    const last = changes.at(-1);
    if (last === undefined) break;
    const sending = server.push(start.deviceId, from, changes);
    const reading = after(last.number);
    // The read still uses the memory, so wait for it even when the server fails.
    await Promise.allSettled([sending, reading]);
    if (!(await sending)) return { sent, isComplete: false };
    from = last;
    sent += changes.filter(({ kind }) => kind !== "void").length;
    await locked(() => store.confirm(last.number));
    if (signal.aborted) break;
    changes = await reading;
  }
  await locked(() => store.confirm(from.number));
  return { sent, isComplete: true };
}

/** Reads the next changes up to `last` that fit into a batch; none when the process is interrupted. */
async function batchAfter(
  { store, exclusions, locked }: SyncRequest,
  after: number,
  last: number,
): Promise<OutgoingChange[]> {
  const batch: OutgoingChange[] = [];
  for (let chars = 0; batch.length < BATCH.changes && chars < BATCH.chars; ) {
    const from = batch.at(-1)?.number ?? after;
    const some = (await locked(() => store.outgoing(from, last, exclusions))) ?? [];
    if (some.length === 0) break;
    batch.push(...some);
    chars += some.reduce((sum, { turn }) => sum + (turn?.text.length ?? 0), 0);
    // The answers of the server are taken in between.
    await Bun.sleep(0);
  }
  return batch;
}

/** Fetches the changes of all other devices. Asks the server for the devices unless they are given. */
export async function pullChanges(request: SyncRequest, known?: Devices): Promise<AppliedChanges> {
  const { store, server, keep, locked, signal } = request;
  const total: AppliedChanges = { added: 0, updated: 0, removed: 0 };
  const membership = await store.membership();
  if (membership === null) return total;
  const all = known ?? (await server.devices());
  await locked(() => store.noteMembers(all));
  const devices = all.filter((device) => nameOf(device) !== nameOf(membership));
  const cursors = new Map((await store.cursors()).map((cursor) => [nameOf(cursor), cursor]));
  const lost = [...cursors.values()].filter(
    (cursor) => !devices.some((device) => nameOf(device) === nameOf(cursor)),
  );
  for (const cursor of lost) await locked(() => store.restart(cursor));
  for (const device of devices) {
    if (signal.aborted) break;
    const cursor = cursors.get(nameOf(device));
    // Most devices have nothing new, so skip their pull.
    if (cursor?.number === device.number && sameBytes(cursor.chain, device.chain)) continue;
    await pullDevice(request, device, cursor ?? START, total);
  }
  total.removed += (await locked(() => store.trim(keep))) ?? 0;
  return total;
}

async function pullDevice(
  { store, server, keep, locked, signal }: SyncRequest,
  device: DeviceName,
  start: Position,
  total: AppliedChanges,
): Promise<void> {
  for (let from = start; !signal.aborted; ) {
    const changes = await server.pull(device, from);
    if (changes === null) {
      // The server was restored from a backup. Nothing is removed: its author will send it again.
      await locked(() => store.restart(device));
      from = START;
      continue;
    }
    const last = changes.at(-1);
    if (last === undefined) return;
    const applied = await locked(() => store.apply(device, changes, keep));
    if (applied === null) return;
    total.added += applied.added;
    total.updated += applied.updated;
    total.removed += applied.removed;
    from = last;
  }
}

function nameOf({ author, deviceId }: DeviceName): string {
  return `${author}\n${deviceId}`;
}
