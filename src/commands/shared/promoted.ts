import { MementorError } from "../../errors.ts";
import { isOf, type Promotion, standing } from "../../project/promote/record.ts";
import { takeOut } from "../../project/promote/take-out.ts";
import type { PromotedLine } from "../../render/forget.ts";
import type { Runtime } from "../../runtime.ts";
import type { ForgetPlan } from "../../store/contract/types/forget.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";

/** Returns the promotions of turns that a plan removes, of those whose line stands in the project's instructions. */
export async function promotedIn(
  { turnIds }: Pick<ForgetPlan, "turnIds">,
  { search }: Pick<SqliteStore, "search">,
  { memory, project }: Runtime,
): Promise<Promotion[]> {
  if (memory.directory === null) return [];
  const gone = new Set(turnIds);
  const promoted = standing(memory.directory, project.worktreeRoot).filter(({ turnId }) => gone.has(turnId));
  if (promoted.length === 0) return [];
  const turns = await search.turns(promoted.map(({ turnId }) => turnId));
  return promoted.filter((each) => turns.some((turn) => isOf(each, turn)));
}

/** Takes the lines of promotions out; what a file that cannot be changed keeps says why. */
export function takeLinesOut(promoted: readonly Promotion[], { memory, project }: Runtime): PromotedLine[] {
  const { directory } = memory;
  return promoted.map((promotion) => {
    const { turnId, name } = promotion;
    try {
      if (directory !== null) takeOut([promotion], directory, project.worktreeRoot);
      return { turnId, name, stays: null };
    } catch (error) {
      if (error instanceof MementorError) return { turnId, name, stays: error.message };
      throw error;
    }
  });
}
