import * as v from "valibot";
import { MementorError } from "../errors.ts";
import { type PrWithSessions, prJson, renderPr, renderPrs } from "../render/history.ts";
import type { BrowseStore } from "../store/store.ts";
import type { RunCommand } from "./command.ts";
import { parseOptions } from "./options.ts";
import { Rows, ViewOptions, view } from "./shared/view.ts";

const Options = v.object({ ...ViewOptions.entries, limit: Rows });

export const run: RunCommand = async ({ args, options: typed }, runtime) => {
  const options = parseOptions(Options, typed);
  const [number] = args;
  if (number !== undefined && !/^#?\d{1,15}$/.test(number))
    throw new MementorError("usage", `"${number}" is no pull request's number.`, {
      hint: "Try: mementor prs 12",
    });
  const prNumber = number === undefined ? {} : { prNumber: Number(number.replace("#", "")) };
  return view(runtime, options, async ({ browse }) => {
    const prs = await withSessions(browse, { limit: options.limit, ...prNumber });
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
