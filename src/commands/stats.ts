import * as v from "valibot";
import { defineCommand } from "../command/command.ts";
import { viewOptions } from "../command/common-options.ts";
import { oneOf, wholeNumber } from "../command/schema.ts";
import { authorOrOwn } from "../filter/filter.ts";
import type { Stats } from "../report/activity.ts";
import type { ReadStore } from "../store/contract/store.ts";
import { filterOptions, isOfTimeOnly, ownFilterOf } from "./shared/filter.ts";
import { view } from "./shared/view.ts";

export const command = defineCommand({
  name: "stats",
  help: { group: "Ask", position: 10 },
  summary: "Chart the work over time, the busiest files, and the use of recall",
  arguments: {},
  options: {
    by: {
      value: "period",
      description: "day, week or month (default: depends on the time range)",
      schema: v.optional(oneOf(["day", "week", "month"])),
    },
    limit: {
      short: "n",
      value: "n",
      description: "Number of files (default: 10)",
      schema: v.optional(wholeNumber(1, 1_000), "10"),
    },
    ...filterOptions(),
    ...viewOptions,
  },
  examples: ["mementor stats", "mementor stats --since 2w --by day", "mementor stats --json"],
  async run({ options }, runtime) {
    const { storeWaiting } = await import("./shared/waiting-calls.ts");
    if (runtime.databaseUrl === null) await storeWaiting(runtime);
    return view(runtime, options, async ({ browse, search, local }) => {
      const { renderStats, statsJson } = await import("../render/stats.ts");
      const { narrowedTo } = await import("../render/narrowed-to.ts");
      const { recallStats, timelineOf } = await import("../report/activity.ts");
      const filter = await ownFilterOf(options, runtime, browse);
      const totals = await search.totals(filter);
      const stats: Stats = {
        totals,
        narrowed: narrowedTo(options, filter),
        othersLeftOut: options.author === undefined && (await hasOthers(search)),
        ...timelineOf(await browse.activity(filter), options.by),
        files: await browse.files({ limit: options.limit, filter }),
        clients: await browse.clients(filter),
        recall: local && isOfTimeOnly(filter) ? recallStats(await local.browse.recalls(filter)) : null,
      };
      return { json: () => statsJson(stats), text: (screen) => renderStats(stats, screen) };
    });
  },
});

/** Whether there are turns of others, too. */
async function hasOthers(search: ReadStore["search"]): Promise<boolean> {
  const [own, all] = [await search.totals(authorOrOwn(null)), await search.totals()];
  return own.turns + own.notes < all.turns + all.notes;
}
