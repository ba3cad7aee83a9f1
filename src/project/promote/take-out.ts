import { rmSync } from "node:fs";
import { writeAtomic } from "../../io/write.ts";
import { withoutLine } from "./place.ts";
import { type Promotion, promotions, recordPromotions } from "./record.ts";
import { targetOf } from "./target.ts";

/**
 * Takes lines out of the instructions of a worktree, and their promotions out of the record in `directory`. Returns those
 * whose line stood there. Throws `not_writable` for a file that cannot be changed; then its promotions stay recorded.
 */
export function takeOut(taken: readonly Promotion[], directory: string, worktreeRoot: string): Promotion[] {
  const out = taken.filter((promotion) => takenOut(promotion, worktreeRoot));
  if (taken.length > 0)
    recordPromotions(
      directory,
      promotions(directory).filter(
        ({ turnId, name, hash }) =>
          !taken.some((each) => each.turnId === turnId && each.name === name && each.hash === hash),
      ),
    );
  return out;
}

/** A file that was made for the line goes with it, unless something else stands in it by now. */
function takenOut(promotion: Promotion, root: string): boolean {
  const { path, content } = targetOf(root, promotion.name);
  const rest = content && withoutLine(content, promotion);
  if (rest === null) return false;
  if (rest.length === 0 && promotion.isNew) rmSync(path);
  else writeAtomic(path, rest);
  return true;
}
