import { isOf, standing } from "../project/promote/record.ts";
import type { Runtime } from "../runtime.ts";
import { hiddenTurns, type Occasion } from "../search/hidden.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";

/** Returns the turns that no hook tells: hidden ones, and those of which a line stands in the project's instructions. */
export async function untoldTurns(
  { project, memory }: Runtime,
  { marks, search }: Pick<SqliteStore, "marks" | "search">,
  occasion: Occasion = {},
): Promise<Set<number>> {
  const hidden = await hiddenTurns(marks, occasion);
  const promoted = memory.directory === null ? [] : standing(memory.directory, project.worktreeRoot);
  if (promoted.length === 0) return hidden;
  for (const turn of await search.turns(promoted.map(({ turnId }) => turnId))) {
    if (promoted.some((each) => isOf(each, turn))) hidden.add(turn.turnId);
  }
  return hidden;
}
