import * as v from "valibot";
import { MementorError } from "../errors.ts";
import { styleFor } from "../render/style.ts";
import { renderTurn, turnJson } from "../render/turn.ts";
import type { RunCommand } from "./command.ts";
import { Flag, parseOptions } from "./options.ts";

const Options = v.object({ json: Flag });

export const run: RunCommand = async ({ args, options }, runtime) => {
  const { json } = parseOptions(Options, options);
  const [wanted = ""] = args;
  const turnId = /^\d+$/.test(wanted) ? Number(wanted) : Number.NaN;
  if (Number.isNaN(turnId))
    throw new MementorError("usage", `"${wanted}" is no turn.`, {
      hint: "Turns have numbers, as search shows them.",
    });
  const store = await runtime.openStore("readonly");
  const [turn] = await store.search.turns([turnId]);
  await store.close();
  if (!turn)
    throw new MementorError("not_found", `There is no turn ${turnId}.`, {
      hint: "It may have been forgotten.",
    });
  const { stdout, env, now } = runtime.host;
  stdout.write(json ? `${JSON.stringify(turnJson(turn))}\n` : renderTurn(turn, styleFor(stdout, env), now()));
  return 0;
};
