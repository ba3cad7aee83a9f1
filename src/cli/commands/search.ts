import * as v from "valibot";
import { SEARCH_MODES } from "../../constants.ts";
import { MementorError } from "../../errors.ts";
import { defineCommand } from "../command-line/command.ts";
import {
  allProjectsOption,
  filterOptions,
  flag,
  oneOf,
  valued,
  viewOptions,
  wholeNumber,
  wordsArgument,
} from "../command-line/option.ts";

export const command = defineCommand({
  name: "search",
  aliases: ["query"],
  help: { group: "Ask", position: 1 },
  summary: "Find what was said, decided and done before",
  readsTeam: true,
  arguments: { query: wordsArgument("text") },
  options: {
    limit: valued("n", "Maximum number of turns (default: 10)", wholeNumber(1, 1_000), "n"),
    ...filterOptions(),
    allProjects: allProjectsOption,
    team: flag("Ask the server of the team instead of the memory here"),
    mode: {
      value: "mode",
      description: "hybrid (default), keyword or vector",
      schema: v.optional(oneOf(SEARCH_MODES), "hybrid"),
    },
    withOwn: flag("In an agent's shell: also find what its own session still sees"),
    explain: flag("Show why these results: the best candidates, their scores, why some were left out"),
    ...viewOptions,
  },
  examples: [
    'mementor search "why did we choose sqlite"',
    "mementor search ingest.rs -n 3 --json",
    'mementor search "flaky test" --branch main --since "last month"',
    'mementor search "rate limit" --all-projects',
  ],
  async run({ args: { query }, options }, runtime) {
    const { config } = await runtime.config();
    const wanted = { query, limit: options.limit ?? config.search.k, mode: options.mode };
    if (options.allProjects && options.team)
      throw new MementorError("usage", "--team and --all-projects exclude each other.", {
        hint: "Search the team's database or your own memories.",
      });
    if (options.allProjects) {
      if (options.explain)
        throw new MementorError("usage", "--explain looks into one memory, not into all.", {
          hint: "Name a project with -C instead of --all-projects.",
        });
      const { printAcross } = await import("./search/elsewhere.ts");
      return printAcross(runtime, wanted, options);
    }
    if (options.team) {
      const { printFromTeam } = await import("./search/elsewhere.ts");
      return printFromTeam(runtime, wanted, options);
    }
    const { searchMemory, turnsToList, printFound } = await import("./search/one-memory.ts");
    const listed = turnsToList(query, options, runtime.host.now());
    if (listed !== null) {
      runtime.host.stdout.write(`${listed.heading}\n\n`);
      const { listLatest } = await import("./recent.ts");
      return listLatest(runtime, { ...options, ...listed.filter });
    }
    const { openToRead } = await import("../../recall/across/open-to-read.ts");
    const store = await openToRead(runtime);
    const found = await searchMemory(runtime, store, wanted, options).finally(() => store.close());
    return printFound(runtime, found, options);
  },
});
