import type { DeviceState } from "../../../store/folder.ts";
import type { SyncState } from "../../../sync/backoff.ts";
import { printable } from "../../../text/invisible.ts";
import { groupedDigits, plural } from "../../../text/numbers.ts";
import { renderAgo } from "../../../text/when.ts";
import { renderBytes, renderColumns, renderFacts } from "../../terminal/table.ts";

export interface FolderStatus {
  directory: string;
  project: string;
  /** Turns that this device put into the folder, turns that arrived, and changes that wait for the next sync. */
  put: number;
  arrived: number;
  waiting: number;
  /** Compaction summaries that stay here. */
  summaries: number;
  devices: DeviceState[];
  lastSync: SyncState | null;
  /** Why the folder cannot be read now. */
  problem: { message: string; hint: string | null } | null;
  /** Number of unknown keys with files in the folder. */
  otherKeys: number;
}

/** Renders the sync status of a memory and its folder. */
export function renderFolderStatus(status: FolderStatus, now: Date): string {
  const { directory, project, put, arrived, waiting, summaries, devices, lastSync } = status;
  const stay =
    summaries === 1
      ? "; 1 compaction summary stays here"
      : `; ${groupedDigits(summaries)} compaction summaries stay here`;
  return renderFacts([
    ["Folder", [printable(directory)]],
    ["Project", [printable(project)]],
    ["Turns", [`${put} put by this device, ${arrived} arrived${summaries === 0 ? "" : stay}`]],
    ["Waiting", waiting === 0 ? [] : [plural(waiting, "change")]],
    ["Devices", deviceLines(devices, now)],
    ["Last sync", [lastSync?.succeededAt == null ? "never" : renderAgo(lastSync.succeededAt, now)]],
    ["Problem", problemLines(status)],
  ]);
}

/** Returns the name of a device, with the start of its id if another device has the same name. */
function deviceLabel({ id, name }: Named, all: readonly Named[]): string {
  const isAlone = all.every((other) => other.id === id || other.name !== name);
  return printable(isAlone ? name : `${name} (${id.slice(0, SHOWN_ID)})`);
}

type Named = Pick<DeviceState, "id" | "name">;

/** Number of hex digits of an id to show. */
const SHOWN_ID = 6;

function deviceLines(devices: readonly DeviceState[], now: Date): string[] {
  const rows = renderColumns(
    devices.map(({ isThis, writtenAt, records, bytes, ...device }) => [
      deviceLabel(device, devices),
      isThis ? "this device" : writtenAt === null ? "not seen yet" : `wrote ${renderAgo(writtenAt, now)}`,
      plural(records, "change"),
      renderBytes(bytes),
    ]),
  );
  return rows.flatMap((row, index) => [row, ...troubles(devices[index])]);
}

function troubles(device: DeviceState | undefined): string[] {
  if (device === undefined) return [];
  return [
    ...(device.problem === null ? [] : [`  ! ${printable(device.problem)}`]),
    ...(device.unaware === 0
      ? []
      : [
          `  ! has not synced since ${plural(device.unaware, "turn")} ${device.unaware === 1 ? "was" : "were"} forgotten`,
        ]),
  ];
}

function problemLines({ problem, lastSync, otherKeys }: FolderStatus): string[] {
  const found = problem ?? lastSync?.problem ?? null;
  return [
    ...(found === null
      ? []
      : [`${printable(found.message)}.${found.hint === null ? "" : ` ${printable(found.hint)}`}`]),
    ...(otherKeys === 0
      ? []
      : [
          'there are files with another key: a device does not have the present one, or made its own. See "mementor help several-machines"',
        ]),
  ];
}

/** Renders the folder's line in `mementor status`. */
export function folderLine(
  folder: Pick<FolderStatus, "directory" | "waiting" | "devices" | "lastSync">,
  now: Date,
): string {
  const { directory, waiting, devices, lastSync } = folder;
  const others = devices.filter(({ isThis }) => !isThis);
  const wrong = others.filter(({ problem, unaware }) => problem !== null || unaware > 0);
  const name = `${printable(directory)}, with ${plural(others.length, "other device")}`;
  const waits = waiting === 0 ? "" : `; ${plural(waiting, "change")} to send`;
  const looks =
    wrong.length === 0
      ? ""
      : `; look at ${wrong.map((each) => deviceLabel(each, devices)).join(", ")}: mementor sync status`;
  if (lastSync?.problem)
    return `${name}: not synced${waits}: ${printable(lastSync.problem.message)}. ${hintOf(lastSync.problem)}`;
  return `${name}: synced ${lastSync?.succeededAt == null ? "never" : renderAgo(lastSync.succeededAt, now)}${waits}${looks}`;
}

function hintOf({ hint }: { hint?: string | null | undefined }): string {
  return `${hint ? `${printable(hint)} ` : ""}It will be retried automatically.`;
}
