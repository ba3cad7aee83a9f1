import * as v from "valibot";
import type { Runtime } from "../../../runtime.ts";
import { flag, jsonOption, nameSchema, type OptionValues, valued } from "../../command-line/option.ts";

/** Options of `mementor sync`. Each action takes some of them. */
export const syncOptions = {
  allProjects: flag(
    "With a folder, now and leave: every enabled project; with a folder, also those enabled later",
  ),
  keyFile: valued("file", "With a folder: read the code from this file instead of asking"),
  as: valued(
    "name",
    "With a folder: the project's name there, the same on all devices, if it has no remote",
    nameSchema,
  ),
  device: valued(
    "name",
    "With a folder: this device's name for your other devices (default: its host name)",
    v.pipe(nameSchema, v.maxLength(100)),
  ),
  acceptOlder: flag("With now: take what devices put although others saw something newer of them"),
  print: flag("With code: print it even without a terminal"),
  erase: flag("With leave: remove what this device put into the folder"),
  yes: flag("Do not ask", "y"),
  json: jsonOption,
};

export type SyncOptions = OptionValues<typeof syncOptions>;

/**
 * One action of `mementor sync`. `target` is the folder, or the device named after the action. Rejects with `usage` for arguments
 * or options that it does not take.
 */
export type SyncAction = (
  input: { target: string; options: SyncOptions },
  runtime: Runtime,
) => Promise<number>;
