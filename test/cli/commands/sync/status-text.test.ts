import { expect, test } from "bun:test";
import {
  type FolderStatus,
  folderLine,
  renderFolderStatus,
} from "../../../../src/cli/commands/sync/status-text.ts";

const NOW = new Date("2026-03-04T12:00:00.000Z");
const device = {
  id: "1a2b3c4d5e6f7a8b",
  name: "laptop",
  isThis: true,
  writtenAt: null,
  seenAt: null,
  records: 2,
  bytes: 900,
  unaware: 0,
  problem: null,
};
const status: FolderStatus = {
  ...{ directory: "/home/ada/Sync", project: "github.com/acme/shop", put: 2, arrived: 1, waiting: 3 },
  summaries: 1,
  devices: [
    device,
    {
      ...device,
      ...{
        id: "9f8e7d6c5b4a3f2e",
        name: "desk\u001b[31m",
        isThis: false,
        writtenAt: "2026-03-04T11:00:00.000Z",
        records: 1,
        unaware: 1,
      },
      problem: "its manifest is damaged",
    },
  ],
  lastSync: {
    ...{ succeededAt: "2026-03-04T11:30:00.000Z", triedAt: "2026-03-04T11:59:00.000Z", failures: 1 },
    problem: {
      code: "not_found",
      message: "the folder is not there: /home/ada/Sync",
      hint: "Is its disk mounted?",
    },
    ...{ pushed: 0, pulled: 0, removed: 0 },
  },
  problem: null,
  otherKeys: 1,
};

test("the status names the devices and what is wrong with each, safe to print", () => {
  expect(renderFolderStatus(status, NOW).split("\n")).toEqual([
    "Folder     /home/ada/Sync",
    "Project    github.com/acme/shop",
    "Turns      2 put by this device, 1 arrived; 1 compaction summary stays here",
    "Waiting    3 changes",
    "Devices    laptop  this device       2 changes  900 bytes",
    "           desk    wrote 1 hour ago  1 change   900 bytes",
    "             ! its manifest is damaged",
    "             ! has not synced since 1 turn was forgotten",
    "Last sync  30 minutes ago",
    "Problem    the folder is not there: /home/ada/Sync. Is its disk mounted?",
    '           there are files with another key: a device does not have the present one, or made its own. See "mementor help several-machines"',
    "",
  ]);
});

test("the line of the whole status says whether all is well, or where to look", () => {
  expect(folderLine(status, NOW)).toBe(
    "/home/ada/Sync, with 1 other device: not synced; 3 changes to send: the folder is not there: /home/ada/Sync. Is its disk mounted? It will be retried automatically.",
  );
  const sound = { ...status, waiting: 0, lastSync: status.lastSync && { ...status.lastSync, problem: null } };
  expect(folderLine(sound, NOW)).toStartWith(
    "/home/ada/Sync, with 1 other device: synced 30 minutes ago; look at desk",
  );
});

test("two devices of one name are told apart by the start of their ids", () => {
  const other = { ...device, id: "9f8e7d6c5b4a3f2e", isThis: false };
  const devices = [device, other, { ...other, id: "77", name: "desk" }];
  const lines = renderFolderStatus({ ...status, devices }, NOW).split("\n");
  expect(lines.slice(4, 7).map((line) => line.slice(11))).toEqual([
    "laptop (1a2b3c)  this device   2 changes  900 bytes",
    "laptop (9f8e7d)  not seen yet  2 changes  900 bytes",
    "desk             not seen yet  2 changes  900 bytes",
  ]);
});
