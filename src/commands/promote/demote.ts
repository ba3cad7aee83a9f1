import { promotions } from "../../project/promote/record.ts";
import { takeOut } from "../../project/promote/take-out.ts";
import { renderJson } from "../../render/json.ts";
import type { Runtime } from "../../runtime.ts";

/**
 * Takes the line of a turn out of the project's instructions; says so where it stands nowhere. The turn itself may be
 * forgotten. Returns the exit code.
 */
export function demote(
  turnId: number,
  directory: string,
  { json }: { json: boolean },
  { host, project }: Runtime,
): number {
  const own = promotions(directory).filter((each) => each.turnId === turnId);
  const files = takeOut(own, directory, project.worktreeRoot).map(({ name }) => name);
  const said =
    files.length > 0
      ? `The line of turn ${turnId} is out of ${files.join(" and ")}.\n`
      : `No line of turn ${turnId} stands in the project's instructions.\n`;
  host.stdout.write(json ? renderJson({ turn_id: turnId, files, removed: files.length > 0 }) : said);
  return 0;
}
