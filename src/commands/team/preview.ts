import { MementorError } from "../../errors.ts";
import { renderResult } from "../../render/result.ts";
import { styleFor } from "../../render/style.ts";
import {
  previewJson,
  renderSharedTurn,
  renderTeamPreview,
  type ShownTurn,
} from "../../render/team/preview.ts";
import type { Runtime } from "../../runtime.ts";
import type { Sharing } from "../../store/contract/types/team.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import { previewSharing } from "../../team/preview.ts";
import { exclusionsOf } from "../shared/team.ts";
import type { TeamAction } from "./options.ts";
import { rulesFor } from "./sharing.ts";

/**
 * Shows turn by turn what would leave this machine; with a number, the whole of that turn.
 *
 * @throws `usage` for a target that is no number or a time that cannot be read, `not_found` when nothing of the turn
 *   would be shared.
 */
export const preview: TeamAction = async ({ target, options }, runtime) => {
  const { host } = runtime;
  await using store = await runtime.openStore("readonly");
  const sharing = await rulesFor(store, options, runtime);
  if (target !== undefined) {
    const [turn] = await shownTurns(store, [numberOf(target)], sharing, runtime);
    if (turn === undefined) throw stays(target);
    host.stdout.write(options.json ? renderResult(previewJson(turn)) : renderSharedTurn(turn));
    return 0;
  }
  const found = await previewSharing(store.team, sharing, await exclusionsOf(runtime));
  const turns = await shownTurns(store, found.leaving, sharing, runtime);
  const screen = { style: styleFor(host.stdout, host.env), width: host.stdout.columns, now: host.now() };
  host.stdout.write(
    options.json
      ? renderResult({ shared: found.shared, staying: found.staying, turns: turns.map(previewJson) })
      : renderTeamPreview(found, turns, screen),
  );
  return 0;
};

async function shownTurns(
  store: SqliteStore,
  turnIds: readonly number[],
  sharing: Sharing,
  runtime: Runtime,
): Promise<ShownTurn[]> {
  const exclusions = await exclusionsOf(runtime);
  const turns: ShownTurn[] = [];
  for (const turnId of turnIds) {
    const preview = await store.team.preview(turnId, sharing, exclusions);
    const [stored] = await store.search.turns([turnId]);
    if (preview !== null && stored !== undefined)
      turns.push({ turnId, ...preview, storedChars: stored.text.length });
  }
  return turns;
}

function numberOf(typed: string): number {
  if (/^\d{1,15}$/.test(typed)) return Number(typed);
  throw new MementorError("usage", `"${typed}" is not the number of a turn.`, {
    hint: "See: mementor team preview",
  });
}

function stays(typed: string): MementorError {
  return new MementorError("not_found", `Nothing of turn ${typed} would be shared.`, {
    hint: "It is not yours, or nothing is left of it without secrets and private passages.",
  });
}
