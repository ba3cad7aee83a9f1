import * as v from "valibot";
import { renderRecent, turnSummaryJson } from "../render/turns.ts";
import type { RunCommand } from "./command.ts";
import { parseOptions } from "./options.ts";
import { FilterOptions, toFilter } from "./shared/filter.ts";
import { Rows, ViewOptions, view } from "./shared/view.ts";

const { branch, since, until } = FilterOptions.entries;
const Options = v.object({ ...ViewOptions.entries, ...{ branch, since, until }, limit: Rows });

export const run: RunCommand = async (input, runtime) => {
  const options = parseOptions(Options, input.options);
  return view(runtime, options, async ({ browse }) => {
    const turns = await browse.recent(options.limit, toFilter(options, runtime.host.now()));
    return {
      json: () => ({ turns: turns.map(turnSummaryJson) }),
      text: (screen) => renderRecent(turns, screen),
    };
  });
};
