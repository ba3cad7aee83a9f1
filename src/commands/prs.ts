import * as v from "valibot";
import { optional } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { rows, viewOptions } from "../command/common-options.ts";
import { wholeNumber } from "../command/schema.ts";
import type { PrWithSessions } from "../render/history.ts";
import type { BrowseStore, ReadStore } from "../store/contract/store.ts";
import { filterOf, filterOptions } from "./shared/filter.ts";
import { view } from "./shared/view.ts";

/** `12` or `#12`. */
const PrNumber = v.pipe(
  v.string(),
  v.transform((typed) => typed.replace(/^#/, "")),
  wholeNumber(1),
);

export const command = defineCommand({
  name: "prs",
  help: { group: "Ask", position: 9 },
  summary: "List pull requests, or the sessions behind one",
  arguments: { number: optional("number", PrNumber) },
  options: { limit: rows, ...filterOptions(), ...viewOptions },
  examples: ["mementor prs", "mementor prs 12"],
  async run({ args: { number }, options }, runtime) {
    return view(runtime, options, async ({ browse, search }) => {
      const { requireKnown } = await import("../search/unknown.ts");
      const { prJson, renderPr, renderPrs } = await import("../render/history.ts");
      const filter = await filterOf(options, runtime, browse);
      const prNumber = number ?? filter.pr;
      if (number !== undefined) await requireKnown({ pr: number }, {}, browse);
      const prs = await withSessions({ browse, search }, { limit: options.limit, filter, prNumber });
      const total = prNumber === undefined ? await browse.count("prs", { filter }) : prs.length;
      return {
        json: () => ({ prs: prs.map(prJson), total }),
        text: (screen) => (number === undefined ? renderPrs({ prs, total }, screen) : renderPr(prs, screen)),
      };
    });
  },
});

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
