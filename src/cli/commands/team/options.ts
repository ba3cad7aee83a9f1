import type { Runtime } from "../../../runtime.ts";
import {
  flag,
  jsonOption,
  type OptionValues,
  onOrOff,
  sizeSchema,
  valued,
} from "../../command-line/option.ts";

/** Options of `mementor team`. Each action takes some of them. */
export const teamOptions = {
  server: valued("url", "With what an administrator does: the server, if it is not that of `team init`"),
  admin: onOrOff("With add: the right to remove turns of others", "With add: take that right"),
  quota: valued("size", "With add: how much the member may store in the project (default: 2GB)", sizeSchema),
  keep: flag("With remove and leave: the turns of who goes stay with the team"),
  erase: flag("With remove and leave: the turns of who goes are removed, from colleagues' machines too"),
  since: valued("when", "With preview and share on: only turns from then on, such as 30d or 2026-03-04"),
  branch: valued("globs", "With preview and share on: only turns of these branches, such as 'feat/*,main'"),
  onlyMarked: flag("With preview and share on: only turns that are pinned or marked good"),
  subagents: flag("With preview and share on: turns of subagents, too"),
  passwordStdin: flag("Read the password from standard input"),
  yes: flag("Do not ask", "y"),
  json: jsonOption,
};

export type TeamOptions = OptionValues<typeof teamOptions>;

/**
 * One action of `mementor team`. `target` is its argument. Rejects with `usage` for arguments or options that it does not take.
 */
export type TeamAction = (
  input: { target: string | undefined; options: TeamOptions },
  runtime: Runtime,
) => Promise<number>;
