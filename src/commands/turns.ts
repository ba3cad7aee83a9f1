import { sessionJson } from "../render/sessions.ts";
import { renderTurns, turnSummaryJson } from "../render/turns.ts";
import type { RunCommand } from "./command.ts";
import { parseOptions } from "./options.ts";
import { requireSession, ViewOptions, view } from "./shared/view.ts";

export const run: RunCommand = async ({ args, options }, runtime) =>
  view(runtime, parseOptions(ViewOptions, options), async ({ browse }) => {
    const session = await requireSession(browse, args[0] ?? "");
    const turns = await browse.turnsOf(session.sessionId);
    return {
      json: () => ({ session: sessionJson(session), turns: turns.map(turnSummaryJson) }),
      text: (screen) => renderTurns(session, turns, screen),
    };
  });
