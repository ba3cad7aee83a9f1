import { activePromotions, isPromotionOf } from "../project/promote.ts";
import { type HookOccasion, hiddenTurns } from "../recall/hidden.ts";
import type { Runtime } from "../runtime.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";

type Stores = Pick<SqliteStore, "marks" | "search">;

/** Returns the turns that no hook tells: hidden ones, and those of which a line stands in the project's instructions. */
export async function withheldTurns(
  memory: Runtime,
  { marks, search }: Stores,
  occasion: HookOccasion = {},
): Promise<Set<number>> {
  const hidden = await hiddenTurns(marks, occasion);
  const promoted = promotedIn(memory);
  if (promoted.length === 0) return hidden;
  for (const turn of await search.turns(promoted.map(({ turnId }) => turnId))) {
    if (promoted.some((each) => isPromotionOf(each, turn))) hidden.add(turn.turnId);
  }
  return hidden;
}

/** Returns the decision that explains why a turn is in `withheldTurns`. */
export async function withheldReason(
  turnId: number,
  memory: Runtime,
  { marks, search }: Stores,
): Promise<"muted" | "promoted" | "taken back" | "bad"> {
  if ((await marks.marksOf(turnId)).includes("mute")) return "muted";
  const [turn] = await search.turns([turnId]);
  if (turn !== undefined && promotedIn(memory).some((each) => isPromotionOf(each, turn))) return "promoted";
  return (await marks.hidden()).has(turnId) ? "taken back" : "bad";
}

function promotedIn({ project, memory }: Runtime) {
  return memory.directory === null ? [] : activePromotions(memory.directory, project.worktreeRoot);
}
