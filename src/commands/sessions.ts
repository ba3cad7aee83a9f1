import * as v from "valibot";
import { filterEntries, filtersBut } from "../filter/filter.ts";
import { renderSessions, sessionJson } from "../render/sessions.ts";
import type { RunCommand } from "./command.ts";
import { parseOptions } from "./options.ts";
import { filterOf } from "./shared/filter.ts";
import { Rows, ViewOptions, view } from "./shared/view.ts";

const Options = v.object({
  ...ViewOptions.entries,
  ...filterEntries(filtersBut()),
  limit: Rows,
});

export const run: RunCommand = async (input, runtime) => {
  const options = parseOptions(Options, input.options);
  return view(runtime, options, async ({ browse }) => {
    const found = await browse.sessions(await filterOf(options, runtime, browse), { limit: options.limit });
    return {
      json: () => ({ sessions: found.sessions.map(sessionJson), total: found.total }),
      text: (screen) => renderSessions(found, screen),
    };
  });
};
