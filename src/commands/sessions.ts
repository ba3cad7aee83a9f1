import * as v from "valibot";
import { renderSessions, sessionJson } from "../render/sessions.ts";
import { storedPath } from "../search/typed-path.ts";
import type { SessionFilter } from "../store/browse/types.ts";
import type { RunCommand } from "./command.ts";
import { Flag, parseOptions } from "./options.ts";
import { FilterOptions, toFilter } from "./shared/filter.ts";
import { Rows, ViewOptions, view } from "./shared/view.ts";

const { branch, since, until, file, pr, commit } = FilterOptions.entries;
const Options = v.object({
  ...ViewOptions.entries,
  ...{ branch, since, until, file, pr, commit },
  automated: Flag,
  human: Flag,
  limit: Rows,
});

export const run: RunCommand = async (input, runtime) => {
  const options = parseOptions(Options, input.options);
  const { host } = runtime;
  const filter: SessionFilter = {
    ...toFilter(options, host.now()),
    ...(options.automated !== options.human && { automated: options.automated }),
  };
  return view(runtime, options, async ({ browse }) => {
    const filePath =
      filter.filePath === undefined ? {} : { filePath: await storedPath(browse, filter.filePath, host.cwd) };
    const found = await browse.sessions({ ...filter, ...filePath }, { limit: options.limit });
    return {
      json: () => ({ sessions: found.sessions.map(sessionJson), total: found.total }),
      text: (screen) => renderSessions(found, screen),
    };
  });
};
