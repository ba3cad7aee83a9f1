import type { Exclusions, Fate, Sharing, TeamStore } from "../store/team.ts";

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
