import * as v from "valibot";
import { MementorError } from "../errors.ts";
import { commitJson, renderCommits } from "../render/history.ts";
import type { RunCommand } from "./command.ts";
import { parseOptions } from "./options.ts";
import { Rows, ViewOptions, view } from "./shared/view.ts";

const Options = v.object({ ...ViewOptions.entries, limit: Rows });

export const run: RunCommand = async ({ args, options: typed }, runtime) => {
  const options = parseOptions(Options, typed);
  const [hash] = args;
  if (hash !== undefined && !/^[0-9a-f]{4,64}$/i.test(hash))
    throw new MementorError("usage", `"${hash}" is no commit's hash.`, {
      hint: "A hash is written in hexadecimal digits, four of them at least.",
    });
  return view(runtime, options, async ({ browse }) => {
    const commits = await browse.commits({ limit: options.limit, ...(hash !== undefined && { hash }) });
    return {
      json: () => ({ commits: commits.map(commitJson) }),
      text: (screen) => renderCommits(commits, screen),
    };
  });
};
