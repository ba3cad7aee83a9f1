import * as v from "valibot";
import { filterEntries, filtersBut } from "../filter/filter.ts";
import { renderStats, statsJson } from "../render/stats.ts";
import { recallStats, type Stats, timelineOf } from "../report/activity.ts";
import type { RunCommand } from "./command.ts";
import { parseOptions, wholeNumber } from "./options.ts";
import { filterOf, isOfTimeOnly } from "./shared/filter.ts";
import { ViewOptions, view } from "./shared/view.ts";

const Options = v.object({
  ...ViewOptions.entries,
  ...filterEntries(filtersBut()),
  by: v.optional(v.picklist(["day", "week", "month"], "is one of day, week, month")),
  limit: v.optional(wholeNumber(1, 1_000), "10"),
});

export const run: RunCommand = async (input, runtime) => {
  const options = parseOptions(Options, input.options);
  return view(runtime, options, async ({ browse, search }) => {
    const filter = await filterOf(options, runtime, browse);
    const stats: Stats = {
      totals: await search.totals(),
      ...timelineOf(await browse.activity(filter), options.by),
      files: await browse.files({ limit: options.limit, filter }),
      recall: isOfTimeOnly(filter) ? recallStats(await browse.recalls(filter)) : null,
    };
    return { json: () => statsJson(stats), text: (screen) => renderStats(stats, screen) };
  });
};
