import * as v from "valibot";
import { MementorError } from "../../errors.ts";
import { defineCommand } from "../command-line/command.ts";
import { nameSchema, optional } from "../command-line/option.ts";
import { type SyncAction, syncOptions } from "./sync/options.ts";

/**
 * The actions, in the order of help. `word` describes the argument that an action requires. `sync/actions.ts` has a function for
 * each.
 */
const ACTIONS: Record<string, { shown: string; summary: string; word?: string }> = {
  status: {
    shown: "status",
    summary: "Show the folder, the devices, what waits, and what is wrong",
  },
  now: {
    shown: "now",
    summary: "Sync now, instead of soon in the background",
  },
  code: {
    shown: "code",
    summary: "Print the words that let another device of yours read the folder",
  },
  rotate: {
    shown: "rotate",
    summary: "Make a new key; every other device needs its code",
  },
  remove: {
    shown: "remove <device>",
    summary: "Forget a device that is lost or gone, keep its turns, and make a new key",
    word: "the name of a device",
  },
  leave: {
    shown: "leave",
    summary: "Stop syncing; with --erase, also remove what this device put into the folder",
  },
};

export const command = defineCommand({
  name: "sync",
  help: { group: "Share", position: 2 },
  summary: "Let your memory follow you to your other machines, through a folder of yours, encrypted",
  arguments: {
    folder: optional("folder|action", nameSchema),
    device: optional("device", v.string()),
  },
  actions: [
    ["<folder>", "Sync through this folder from now on; asks for the code where another device does"],
    ...Object.values(ACTIONS).map(({ shown, summary }): [string, string] => [shown, summary]),
  ],
  options: syncOptions,
  examples: [
    "mementor sync ~/Sync                     # the first device: makes a key",
    "mementor sync code                       # for the next one",
    "mementor sync ~/Sync --all-projects      # every enabled project, and those enabled later",
    "mementor sync status",
    "mementor sync remove old-laptop",
  ],
  async run({ args: { folder = "status", device }, options }, runtime) {
    runtime.requireLocal();
    const action = Object.hasOwn(ACTIONS, folder) ? ACTIONS[folder] : undefined;
    if ((action?.word === undefined) !== (device === undefined))
      throw new MementorError(
        "usage",
        action?.word === undefined
          ? `"mementor sync ${folder}" takes no further word.`
          : `"mementor sync ${folder}" needs ${action.word}.`,
        { hint: "See: mementor sync --help." },
      );
    const actions: Record<string, SyncAction> = await import("./sync/actions.ts");
    const { connect } = await import("./sync/connect.ts");
    const run = (action && actions[folder]) ?? connect;
    return run({ target: device ?? folder, options }, runtime);
  },
});
