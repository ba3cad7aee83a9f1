import * as v from "valibot";
import { renderStats, statsJson } from "../render/stats.ts";
import { recallStats, type Stats, timelineOf } from "../report/activity.ts";
import type { RunCommand } from "./command.ts";
import { parseOptions, wholeNumber } from "./options.ts";
import { FilterOptions, toFilter } from "./shared/filter.ts";
import { ViewOptions, view } from "./shared/view.ts";

const { since, until } = FilterOptions.entries;
const Options = v.object({
  ...ViewOptions.entries,
  ...{ since, until },
  by: v.optional(v.picklist(["day", "week", "month"], "is one of day, week, month")),
  limit: v.optional(wholeNumber(1, 1_000), "10"),
});

export const run: RunCommand = async (input, runtime) => {
  const options = parseOptions(Options, input.options);
  const range = toFilter({ since: options.since, until: options.until }, runtime.host.now());
  return view(runtime, options, async ({ browse, search }) => {
    const stats: Stats = {
      totals: await search.totals(),
      ...timelineOf(await browse.activity(range), options.by),
      files: await browse.files({ limit: options.limit }),
      recall: recallStats(await browse.recalls(range)),
    };
    return { json: () => statsJson(stats), text: (screen) => renderStats(stats, screen) };
  });
};
