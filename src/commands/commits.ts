import { optional } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { rows, viewOptions } from "../command/common-options.ts";
import { CommitHash } from "../filter/fields.ts";
import { filterOf, filterOptions } from "./shared/filter.ts";
import { view } from "./shared/view.ts";

export const command = defineCommand({
  name: "commits",
  help: { group: "Ask", position: 8 },
  summary: "List commits with the turns that made them, or find one",
  arguments: { hash: optional("hash", CommitHash) },
  options: { limit: rows, ...filterOptions(), ...viewOptions },
  examples: ["mementor commits", "mementor commits 3f2a9c1"],
  async run({ args: { hash }, options }, runtime) {
    return view(runtime, options, async ({ browse }) => {
      const { requireKnown } = await import("../search/unknown.ts");
      const { commitJson, renderCommit, renderCommits } = await import("../render/history.ts");
      const filter = await filterOf(options, runtime, browse);
      const wanted = hash ?? filter.commit;
      if (hash !== undefined) await requireKnown({ commit: hash }, {}, browse);
      const commits = await browse.commits({ limit: options.limit, filter, hash: wanted });
      const total = wanted === undefined ? await browse.count("commits", { filter }) : commits.length;
      return {
        json: () => ({ commits: commits.map(commitJson), total }),
        text: (screen) =>
          wanted === undefined || commits.length === 0
            ? renderCommits({ commits, total }, screen)
            : renderCommit(commits, screen),
      };
    });
  },
});
