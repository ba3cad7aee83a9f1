import * as v from "valibot";
import { MementorError } from "../errors.ts";
import { CommitHash } from "../filter/fields.ts";
import { filterEntries, filtersBut } from "../filter/filter.ts";
import { commitJson, renderCommits } from "../render/history.ts";
import type { RunCommand } from "./command.ts";
import { parseOptions } from "./options.ts";
import { filterOf } from "./shared/filter.ts";
import { Rows, ViewOptions, view } from "./shared/view.ts";

const Options = v.object({ ...ViewOptions.entries, ...filterEntries(filtersBut()), limit: Rows });

export const run: RunCommand = async ({ args, options: typed }, runtime) => {
  const options = parseOptions(Options, typed);
  const [hash] = args;
  if (hash !== undefined && !v.is(CommitHash, hash))
    throw new MementorError("usage", `"${hash}" is no commit's hash.`, {
      hint: "A hash is written in hexadecimal digits, four of them at least.",
    });
  return view(runtime, options, async ({ browse }) => {
    const filter = await filterOf(options, runtime, browse);
    const wanted = hash ?? filter.commit;
    const commits = await browse.commits({
      ...{ limit: options.limit, filter },
      ...(wanted !== undefined && { hash: wanted }),
    });
    return {
      json: () => ({ commits: commits.map(commitJson) }),
      text: (screen) => renderCommits(commits, screen),
    };
  });
};
