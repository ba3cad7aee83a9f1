import { MementorError } from "../../errors.ts";
import { CommitHash, type Filter } from "../../store/filter.ts";
import type { BrowseStore, ReadStore } from "../../store/store.ts";
import { defineCommand } from "../definition/command.ts";
import { rows, viewOptions } from "../definition/common-options.ts";
import { flag, optional } from "../definition/option.ts";
import { filterOf, filterOptions } from "../filter.ts";
import { type View, view } from "../terminal/view.ts";
import type { PrWithSessions } from "./commits/text.ts";

export const command = defineCommand({
  name: "commits",
  help: { group: "Ask", position: 7 },
  summary: "List commits or pull requests with the turns that made them, or find one",
  readsTeam: true,
  arguments: { hash: optional("hash", CommitHash) },
  options: {
    prs: flag("List pull requests; with --pr, the sessions behind that one"),
    limit: rows,
    ...filterOptions(),
    ...viewOptions,
  },
  examples: [
    "mementor commits",
    "mementor commits 3f2a9c1",
    "mementor commits --prs",
    "mementor commits --prs --pr 12",
  ],
  async run({ args: { hash }, options }, runtime) {
    if (options.prs && hash !== undefined)
      throw new MementorError("usage", "--prs lists pull requests, and a hash names a commit.", {
        hint: `For the pull requests of a commit: mementor commits --prs --commit ${hash}`,
      });
    return view(runtime, options, async ({ browse, search }) => {
      if (options.prs)
        return pullRequests({ browse, search }, options.limit, await filterOf(options, runtime, browse));
      const { requireKnown } = await import("../../recall/unknown.ts");
      const { commitJson, renderCommit, renderCommits } = await import("./commits/text.ts");
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

async function pullRequests(
  { browse, search }: Pick<ReadStore, "browse" | "search">,
  limit: number,
  filter: Filter,
): Promise<View> {
  const { prJson, renderPr, renderPrs } = await import("./commits/text.ts");
  const prs = await withSessions({ browse, search }, { limit, filter, prNumber: filter.pr });
  const total = filter.pr === undefined ? await browse.count("prs", { filter }) : prs.length;
  return {
    json: () => ({ prs: prs.map(prJson), total }),
    text: (screen) =>
      filter.pr === undefined || prs.length === 0 ? renderPrs({ prs, total }, screen) : renderPr(prs, screen),
  };
}

async function withSessions(
  { browse, search }: Pick<ReadStore, "browse" | "search">,
  options: Parameters<BrowseStore["prs"]>[0],
): Promise<PrWithSessions[]> {
  const prs = await browse.prs(options);
  const turns = new Map(
    (await search.turns(prs.flatMap(({ opened }) => opened?.turnId ?? []))).map((turn) => [
      turn.turnId,
      turn,
    ]),
  );
  return Promise.all(
    prs.map(async (pr) => ({
      ...pr,
      sessions: await browse.summaries(pr.sessionIds),
      turn: pr.opened && (turns.get(pr.opened.turnId) ?? null),
    })),
  );
}
