import { rmSync } from "node:fs";
import { writeAtomic } from "../../io/write.ts";
import { withoutLine } from "../../project/promote/place.ts";
import { type Promotion, promotions, recordPromotions } from "../../project/promote/record.ts";
import { targetOf } from "../../project/promote/target.ts";
import { renderJson } from "../../render/json.ts";
import type { Runtime } from "../../runtime.ts";
import type { StoredTurn } from "../../store/contract/types/stored.ts";

/** Takes the line of a turn out of the project's instructions; says so where it stands nowhere. Returns the exit code. */
export async function demote(
  { turnId }: Pick<StoredTurn, "turnId">,
  directory: string,
  { json }: { json: boolean },
  { host, project }: Runtime,
): Promise<number> {
  const all = promotions(directory);
  const own = all.filter((each) => each.turnId === turnId);
  const files = own.filter((promotion) => takenOut(promotion, project.worktreeRoot)).map(({ name }) => name);
  if (own.length > 0)
    recordPromotions(
      directory,
      all.filter((each) => each.turnId !== turnId),
    );
  const said =
    files.length > 0
      ? `The line of turn ${turnId} is out of ${files.join(" and ")}.\n`
      : `No line of turn ${turnId} stands in the project's instructions.\n`;
  host.stdout.write(json ? renderJson({ turn_id: turnId, files, removed: files.length > 0 }) : said);
  return 0;
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
