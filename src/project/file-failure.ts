import { CHANGING_TOOLS } from "../constants.ts";
import type { Failure } from "../domain.ts";
import type { LocalBrowseStore } from "../store/contract/store.ts";
import type { FileTouch, TurnFailures } from "../store/contract/types/browse.ts";
import type { StoredTurn } from "../store/contract/types/stored.ts";
import { compareTimes } from "../text/times.ts";
import { failureIn, type LastFailure } from "./working-state.ts";

/** The start of the summary of a shell command. */
const COMMAND = "Bash(";

/** A failure in a turn that changed a file, or of a call that names it. */
export interface FileFailure extends LastFailure {
  createdAt: string | null;
  /** The later turn in which the same call succeeded, or which changed the file without a failure. */
  later: { turnId: number; createdAt: string | null; isSameCall: boolean } | null;
}

/** Returns the last failure of a turn that concerns a file; null when there is none. */
export function failureOf(turn: StoredTurn, failures: readonly Failure[], touch: FileTouch, path: string) {
  const isChange = changes(touch);
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (failures.length === 0) return isChange ? failureIn(turn, []) : null;
  const concerning = failures.filter(({ call }) => {
    const summary = call === null ? null : (turn.toolSummary[call] ?? null);
    if (summary === null) return isChange;
    return summary.includes(name) || (isChange && summary.startsWith(COMMAND));
  });
  const found = concerning.map((failure) => failureIn(turn, [failure])).filter((failure) => failure !== null);
  return found.findLast((failure) => !isSlip(failure)) ?? found.at(-1) ?? null;
}

/** Whether a failure only cost a second attempt, such as an edit whose text was not found at first. */
export function isSlip({ mended, command }: LastFailure): boolean {
  return mended && command !== null && !command.startsWith(COMMAND);
}

/**
 * Returns the turn after a failure in which the same call succeeded, or else the first that changed the file without a
 * failure. `touches` are those of the file, `failed` the turns among them whose text has errors.
 */
export async function laterOf(
  { turnId, createdAt }: StoredTurn,
  { command }: LastFailure,
  { touches, failed }: { touches: readonly FileTouch[]; failed: readonly TurnFailures[] },
  browse: Pick<LocalBrowseStore, "laterCalls">,
): Promise<FileFailure["later"]> {
  if (createdAt === null) return null;
  const later = touches
    .flatMap((touch) => (touch.createdAt === null ? [] : [{ ...touch, createdAt: touch.createdAt }]))
    .filter((touch) => touch.createdAt > createdAt)
    .sort((a, b) => compareTimes(a.createdAt, b.createdAt));
  const turnIds = later.map((touch) => touch.turnId);
  const calls = command === null ? [] : await browse.laterCalls(turnId, command, turnIds);
  const succeeded = calls.find((call) => !call.failed);
  if (succeeded) return { turnId: succeeded.turnId, createdAt: succeeded.createdAt, isSameCall: true };
  const changed = later.find(
    (touch) => changes(touch) && !failed.some((each) => each.turnId === touch.turnId),
  );
  return changed ? { turnId: changed.turnId, createdAt: changed.createdAt, isSameCall: false } : null;
}

function changes({ toolNames }: FileTouch): boolean {
  return CHANGING_TOOLS.some((tool) => toolNames.includes(tool));
}
