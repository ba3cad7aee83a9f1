import * as v from "valibot";
import { filterEntries, filtersBut } from "../filter/filter.ts";
import { renderRecent, turnSummaryJson } from "../render/turns.ts";
import type { RunCommand } from "./command.ts";
import { parseOptions } from "./options.ts";
import { filterOf } from "./shared/filter.ts";
import { Rows, ViewOptions, view } from "./shared/view.ts";

const Options = v.object({ ...ViewOptions.entries, ...filterEntries(filtersBut()), limit: Rows });

export const run: RunCommand = async (input, runtime) => {
  const options = parseOptions(Options, input.options);
  return view(runtime, options, async ({ browse }) => {
    const turns = await browse.recent(options.limit, await filterOf(options, runtime, browse));
    return {
      json: () => ({ turns: turns.map(turnSummaryJson) }),
      text: (screen) => renderRecent(turns, screen),
    };
  });
};
