import type { Runtime } from "../../runtime.ts";
import type { TypedFilter } from "../../store/filter.ts";
import { defineCommand } from "../definition/command.ts";
import { allProjectsOption, rows, viewOptions } from "../definition/common-options.ts";
import { filterOf, filterOptions } from "../filter.ts";
import { view } from "../terminal/view.ts";

export const command = defineCommand({
  name: "recent",
  help: { group: "Ask", position: 4 },
  summary: "List the latest turns",
  readsTeam: true,
  arguments: {},
  options: { limit: rows, ...filterOptions(), allProjects: allProjectsOption, ...viewOptions },
  examples: ["mementor recent", "mementor recent --branch main -n 5", "mementor recent --all-projects"],
  async run({ options }, runtime) {
    if (options.allProjects) {
      const { listRecent } = await import("../all-projects.ts");
      return listRecent(runtime, options);
    }
    return listLatest(runtime, options);
  },
});

/** Lists the latest turns of one memory. Returns the exit code. */
export function listLatest(
  runtime: Runtime,
  options: TypedFilter & { limit: number; json: boolean; pager: boolean },
) {
  return view(runtime, options, async ({ browse, search }) => {
    const { renderRecent, turnSummaryJson } = await import("./recent/text.ts");
    const { emptyMemory } = await import("../memory.ts");
    const filter = await filterOf(options, runtime, browse);
    const turns = await browse.recent(options.limit, filter);
    const total = await browse.count("turns", { filter });
    const empty = total === 0 ? await emptyMemory(runtime, search) : null;
    return {
      json: () => ({ turns: turns.map(turnSummaryJson), total }),
      text: (screen) => renderRecent({ turns, total, isMain: filter.agent === undefined, empty }, screen),
    };
  });
}
