import type { Applied, TeamServer, TeamStore } from "../store/contract/team.ts";
import { type DeviceName, type Exclusions, type Keep, type Position, START } from "../store/team/types.ts";

export interface SyncRequest {
  store: TeamStore;
  server: TeamServer;
  exclusions: Exclusions;
  /** What is kept of colleagues' turns, now. */
  keep: Keep;
  /** Runs a step that writes to the memory, one process at a time. Null when the process is interrupted. */
  locked: <Result>(step: () => Promise<Result>) => Promise<Result | null>;
  signal: AbortSignal;
}

export interface SyncResult extends Applied {
  pushed: number;
}

/**
 * Sends what changed here and fetches what changed elsewhere. Every step can be repeated: after a crash, the next sync goes
 * on from what the server and the memory have.
 */
export async function sync(request: SyncRequest): Promise<SyncResult> {
  const pushed = await push(request);
  return { pushed, ...(await pull(request)) };
}

/** How often a device may turn out to be a copy in one push. */
const MAX_RENEWALS = 3;

/** Sends the changes that the server does not have. Returns the number of turns that were sent or taken back. */
export async function push({ store, server, exclusions, locked, signal }: SyncRequest): Promise<number> {
  while (!signal.aborted && (await locked(() => store.noteChanges(exclusions))) === true);
  let sent = 0;
  for (let renewals = 0; !signal.aborted; ) {
    const membership = await store.membership();
    if (membership === null) return sent;
    const { author, deviceId } = membership;
    const at = await positionOf(server, { author, deviceId });
    if (!(await store.knows(at))) {
      // Another copy of this memory has counted on: what follows needs numbers of its own.
      if (renewals++ >= MAX_RENEWALS) return sent;
      await locked(() => store.renew());
      continue;
    }
    let from = at;
    for (;;) {
      const changes = (await locked(() => store.outgoing(from.number, exclusions))) ?? [];
      const last = changes.at(-1);
      if (last !== undefined && !(await server.push(deviceId, from, changes))) break;
      from = last ?? from;
      await locked(() => store.confirm(from.number));
      sent += changes.filter(({ kind }) => kind !== "void").length;
      if (last === undefined || signal.aborted) return sent;
    }
  }
  return sent;
}

/** Fetches the changes of all other devices. */
export async function pull({ store, server, keep, locked, signal }: SyncRequest): Promise<Applied> {
  const total: Applied = { added: 0, updated: 0, removed: 0 };
  const membership = await store.membership();
  if (membership === null) return total;
  const isHere = ({ author, deviceId }: DeviceName) =>
    author === membership.author && deviceId === membership.deviceId;
  const devices = (await server.devices()).filter((device) => !isHere(device));
  const cursors = new Map((await store.cursors()).map((cursor) => [nameOf(cursor), cursor]));
  for (const cursor of cursors.values()) {
    if (!devices.some((device) => nameOf(device) === nameOf(cursor)))
      await locked(() => store.restart(cursor));
  }
  for (const device of devices) {
    let from: Position = cursors.get(nameOf(device)) ?? START;
    while (!signal.aborted) {
      const changes = await server.pull(device, from);
      if (changes === null) {
        // The server was restored from a backup. Nothing is removed: its author will send it again.
        await locked(() => store.restart(device));
        from = START;
        continue;
      }
      const last = changes.at(-1);
      if (last === undefined) break;
      const applied = await locked(() => store.apply(device, changes, keep));
      if (applied === null) return total;
      total.added += applied.added;
      total.updated += applied.updated;
      total.removed += applied.removed;
      from = last;
    }
  }
  total.removed += (await locked(() => store.trim(keep))) ?? 0;
  return total;
}

async function positionOf(server: TeamServer, { author, deviceId }: DeviceName): Promise<Position> {
  const devices = await server.devices();
  return devices.find((device) => device.author === author && device.deviceId === deviceId) ?? START;
}

function nameOf({ author, deviceId }: DeviceName): string {
  return `${author}\n${deviceId}`;
}
