import * as v from "valibot";
import type { Runtime } from "../../../runtime.ts";
import { parseBytes } from "../../../text/numbers.ts";
import { flag, jsonOption, type OptionValues, onOrOff } from "../../command-line/option.ts";

const Size = v.pipe(
  v.string(),
  v.transform(parseBytes),
  v.custom<number>((bytes) => typeof bytes === "number" && bytes > 0, "must be a size: 500MB, 2GB"),
);

/** Options of `mementor team`. Each action takes some of them. */
export const teamOptions = {
  server: {
    value: "url",
    description: "With what an administrator does: the server, if it is not that of `team init`",
    schema: v.optional(v.string()),
  },
  admin: onOrOff("With add: the right to remove turns of others", "With add: take that right"),
  quota: {
    value: "size",
    description: "With add: how much the member may store in the project (default: 2GB)",
    schema: v.optional(Size),
  },
  keep: flag("With remove and leave: the turns of who goes stay with the team"),
  erase: flag("With remove and leave: the turns of who goes are removed, from colleagues' machines too"),
  since: {
    value: "when",
    description: "With preview and share on: only turns from then on, such as 30d or 2026-03-04",
    schema: v.optional(v.string()),
  },
  branch: {
    value: "globs",
    description: "With preview and share on: only turns of these branches, such as 'feat/*,main'",
    schema: v.optional(v.string()),
  },
  onlyMarked: flag("With preview and share on: only turns that are pinned or marked good"),
  subagents: flag("With preview and share on: turns of subagents, too"),
  passwordStdin: flag("Read the password from standard input"),
  yes: flag("Do not ask", "y"),
  json: jsonOption,
};

export type TeamOptions = OptionValues<typeof teamOptions>;

/**
 * One action of `mementor team`. `target` is the word behind it. Rejects with `usage` where words or options do not fit
 * it.
 */
export type TeamAction = (
  input: { target: string | undefined; options: TeamOptions },
  runtime: Runtime,
) => Promise<number>;
