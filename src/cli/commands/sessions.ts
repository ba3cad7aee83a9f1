import { defineCommand } from "../definition/command.ts";
import { allProjectsOption, rows, viewOptions } from "../definition/common-options.ts";
import { filterOf, filterOptions } from "../filter.ts";
import { view } from "../terminal/view.ts";

export const command = defineCommand({
  name: "sessions",
  help: { group: "Ask", position: 5 },
  summary: "List sessions, the latest first",
  readsTeam: true,
  arguments: {},
  options: {
    limit: rows,
    ...filterOptions(),
    allProjects: allProjectsOption,
    ...viewOptions,
  },
  examples: ['mementor sessions --since "last week"', "mementor sessions --file src/store.ts --json"],
  async run({ options }, runtime) {
    if (options.allProjects) {
      const { listSessions } = await import("../all-projects.ts");
      return listSessions(runtime, options);
    }
    return view(runtime, options, async ({ browse }) => {
      const { renderSessions, sessionJson } = await import("./sessions/text.ts");
      const found = await browse.sessions(await filterOf(options, runtime, browse), { limit: options.limit });
      return {
        json: () => ({ sessions: found.sessions.map(sessionJson), total: found.total }),
        text: (screen) => renderSessions(found, screen),
      };
    });
  },
});
