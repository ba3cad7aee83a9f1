import { agentName, isAgent } from "../../agents/names.ts";
import type { Origin, TurnRole } from "../../domain.ts";
import { shownName } from "../../text/names.ts";
import type { PartKind } from "../../turn/text.ts";

/** What of a turn tells who said its parts. All of it must be known, or words of others pass for the user's. */
export interface SpokenTurn extends Origin {
  client: string;
  role: TurnRole;
  origin: string;
}

/**
 * Says who said a part of a turn: the user or the agent by name, and whether it was only thought. Only what was said in
 * this memory, on any device of its user, is said by "the user": another's user asks nothing here.
 */
export function speakerOf(kind: PartKind, turn: SpokenTurn): string {
  const agent = agentOf(turn);
  // A summary stands where a prompt would, but the agent wrote it.
  if (turn.role !== "turn") return `${agent}, summing up`;
  switch (kind) {
    case "prompt":
    case "forward":
      return userOf(kind, turn);
    case "note":
      return isOwn(turn) ? "note" : AGENT_NOTE;
    case "thinking":
      return `${agent}, thinking`;
    default:
      return agent;
  }
}

/** What came from elsewhere names its agent itself: it could be called like the user. */
function agentOf(turn: SpokenTurn): string {
  if (turn.client === "claude-code") return "Claude";
  return isOwn(turn) || isAgent(turn.client) ? agentName(turn.client) : "an agent";
}

const AGENT_NOTE = "an agent, in a note";
/** Who sent a prompt that is a message between agents of a team. */
const ANOTHER_AGENT = "another agent";

function userOf(kind: "prompt" | "forward", turn: SpokenTurn): string {
  if (kind === "prompt" && turn.origin === "teammate") return ANOTHER_AGENT;
  if (isOwn(turn)) return "the user";
  // A turn that came from elsewhere may have an agent's note where a prompt stands.
  if (kind === "prompt" && turn.origin === "agent") return AGENT_NOTE;
  return turn.author === null ? "a user" : shownName(turn.author);
}

function isOwn({ author, foreign }: Origin): boolean {
  return author === null && foreign === null;
}
