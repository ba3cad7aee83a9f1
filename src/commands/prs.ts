import * as v from "valibot";
import { MementorError } from "../errors.ts";
import { filterEntries, filtersBut } from "../filter/filter.ts";
import { type PrWithSessions, prJson, renderPr, renderPrs } from "../render/history.ts";
import type { BrowseStore } from "../store/store.ts";
import type { RunCommand } from "./command.ts";
import { parseOptions } from "./options.ts";
import { filterOf } from "./shared/filter.ts";
import { Rows, ViewOptions, view } from "./shared/view.ts";

const Options = v.object({ ...ViewOptions.entries, ...filterEntries(filtersBut()), limit: Rows });

export const run: RunCommand = async ({ args, options: typed }, runtime) => {
  const options = parseOptions(Options, typed);
  const [number] = args;
  if (number !== undefined && !/^#?\d{1,15}$/.test(number))
    throw new MementorError("usage", `"${number}" is no pull request's number.`, {
      hint: "Try: mementor prs 12",
    });
  return view(runtime, options, async ({ browse }) => {
    const filter = await filterOf(options, runtime, browse);
    const prNumber = number === undefined ? filter.pr : Number(number.replace("#", ""));
    const prs = await withSessions(browse, {
      ...{ limit: options.limit, filter },
      ...(prNumber !== undefined && { prNumber }),
    });
    return {
      json: () => ({ prs: prs.map(prJson) }),
      text: (screen) => (number === undefined ? renderPrs(prs, screen) : renderPr(prs, screen)),
    };
  });
};

async function withSessions(
  browse: BrowseStore,
  options: Parameters<BrowseStore["prs"]>[0],
): Promise<PrWithSessions[]> {
  const prs = await browse.prs(options);
  return Promise.all(prs.map(async (pr) => ({ ...pr, sessions: await browse.summaries(pr.sessionIds) })));
}
