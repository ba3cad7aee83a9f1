import * as v from "valibot";
import { filterEntries, filtersBut } from "../filter/filter.ts";
import { sessionJson } from "../render/sessions.ts";
import { renderTurns, turnSummaryJson } from "../render/turns.ts";
import type { RunCommand } from "./command.ts";
import { parseOptions } from "./options.ts";
import { filterOf } from "./shared/filter.ts";
import { requireSession, ViewOptions, view } from "./shared/view.ts";

const Options = v.object({ ...ViewOptions.entries, ...filterEntries(filtersBut("session")) });

export const run: RunCommand = async ({ args, options: typed }, runtime) => {
  const options = parseOptions(Options, typed);
  return view(runtime, options, async ({ browse }) => {
    const session = await requireSession(browse, args[0] ?? "");
    const turns = await browse.turnsOf(session.sessionId, await filterOf(options, runtime, browse));
    return {
      json: () => ({ session: sessionJson(session), turns: turns.map(turnSummaryJson) }),
      text: (screen) => renderTurns(session, turns, screen),
    };
  });
};
