import type { Sharing } from "../store/team.ts";

/** What is shared unless the user says otherwise: all turns of main conversations. */
export const ALL_TURNS: Sharing = { since: null, branches: [], onlyMarked: false, subagents: false };

/** The options that choose what is shared; absent where they are not given. */
export interface SharingOptions {
  /** ISO 8601. */
  since: string | null;
  /** Globs, separated by commas. */
  branch: string | undefined;
  onlyMarked: boolean;
  subagents: boolean;
}

/** Returns the rules that the options name; those in force when there are no options. */
export function sharingOf(options: SharingOptions, inForce: Sharing | null): Sharing {
  const { since, branch, onlyMarked, subagents } = options;
  const isGiven = since !== null || branch !== undefined || onlyMarked || subagents;
  if (!isGiven) return inForce ?? ALL_TURNS;
  const branches = (branch ?? "").split(",").map((glob) => glob.trim());
  return { since, branches: branches.filter((glob) => glob !== ""), onlyMarked, subagents };
}
