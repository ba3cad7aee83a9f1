import { MementorError } from "../../errors.ts";
import { renderJson } from "../../render/json.ts";
import { renderTurnMarked } from "../../render/marks.ts";
import type { Runtime } from "../../runtime.ts";
import type { TurnMarkKind } from "../../store/contract/types/marks.ts";
import { findTurn, isTurnNumber, unknownTurn } from "../shared/turn.ts";
import { screenOf } from "../shared/view.ts";

/**
 * Mutes or pins a turn, or takes that back.
 *
 * @throws `not_found` for a turn that does not exist.
 */
export async function markTurn(
  runtime: Runtime,
  kind: TurnMarkKind,
  typed: string,
  { undo, json }: { undo: boolean; json: boolean },
): Promise<number> {
  await using store = await runtime.openStore("readwrite");
  const turn = await findTurn(store.search, typed);
  if (turn === null)
    throw isTurnNumber(typed)
      ? unknownTurn(typed)
      : new MementorError("not_found", `${JSON.stringify(typed)} is not the number of a turn.`, {
          hint: 'Run "mementor recent" or "mementor told" for a list of turns.',
        });
  const changed = await (undo ? store.marks.unmark(turn.turnId, kind) : store.marks.mark(turn.turnId, kind));
  const done = { kind, undo, changed };
  runtime.host.stdout.write(
    json
      ? renderJson({ turn_id: turn.turnId, mark: kind, marked: !undo, changed })
      : renderTurnMarked(turn, done, screenOf(runtime).program),
  );
  return 0;
}
