import type { Exclusions, Fate, Sharing, TeamStore } from "../../store/team.ts";

/** What is shared unless the user says otherwise: all turns of main conversations. */
export const ALL_TURNS: Sharing = { since: null, branches: [], onlyMarked: false, subagents: false };

/** The options that choose what is shared; absent where they are not given. */
interface SharingOptions {
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

/** Turns that are looked at in one step. */
const STEP = 500;

/** What becomes of one's own turns under some rules. */
export interface SharingPreview {
  /** Turns that would leave, or have left, in order of id. */
  leaving: number[];
  /** How many of those are with the team already. */
  shared: number;
  /** How many turns stay here, by reason. */
  staying: Partial<Record<Fate, number>>;
}

/** Looks at all turns of the memory; changes nothing. */
export async function previewSharing(
  store: Pick<TeamStore, "fates">,
  sharing: Sharing,
  exclusions: Exclusions,
): Promise<SharingPreview> {
  const preview: SharingPreview = { leaving: [], shared: 0, staying: {} };
  for (let after = 0; ; ) {
    const fates = await store.fates(sharing, exclusions, after, STEP);
    for (const { turnId, fate } of fates) {
      if (fate === "shared") preview.shared++;
      if (fate === "shared" || fate === "wanted") preview.leaving.push(turnId);
      else preview.staying[fate] = (preview.staying[fate] ?? 0) + 1;
    }
    const last = fates.at(-1);
    if (last === undefined) return preview;
    after = last.turnId;
  }
}
