import type { Exclusions, Fate, Sharing } from "../../team.ts";
import { isWithTeam, type OwnTurn } from "./own-turn.ts";

/** Says whether a turn leaves this machine under these rules, or why it stays. */
export function fateOf(
  turn: OwnTurn,
  sharing: Sharing,
  { isPathExcluded, isProjectExcluded }: Exclusions,
): Fate {
  if (turn.isUnshared) return "unshared";
  if (turn.foreignOrigin !== null) return "imported";
  if (isProjectExcluded || turn.mentions.some(({ filePath }) => isPathExcluded(filePath))) return "excluded";
  if (isWithTeam(turn)) return "shared";
  if (turn.isOpen === 1) return "provisional";
  return reasonToStay(turn, sharing) ?? "wanted";
}

/** Whether a turn with this fate is in the team's memory, or will be. */
export function isWanted(fate: Fate): boolean {
  return fate === "shared" || fate === "wanted";
}

function reasonToStay(
  turn: OwnTurn,
  { since, branches, onlyMarked, subagents, muted = false }: Sharing,
): Fate | null {
  // A summary quotes earlier turns, which may stay here.
  if (turn.role !== "turn") return "summary";
  if (turn.agentId !== null && !subagents) return "subagent";
  if (turn.isMuted !== 0 && !muted) return "muted";
  if (since !== null && (turn.createdAt ?? "") < since) return "before";
  if (branches.length > 0 && !branches.some((glob) => new Bun.Glob(glob).match(turn.branch ?? "")))
    return "branch";
  if (onlyMarked && turn.isPinned === 0 && turn.isGood === 0) return "unmarked";
  return null;
}
