import { agentName } from "../agents/names.ts";
import { NOTE } from "../constants.ts";
import type { StoredTurn } from "../store/stored.ts";

/** Returns the name of a session's coding agent where it should be shown: null for Claude Code, the usual one. */
export function otherClient(client: string): string | null {
  return client === "claude-code" ? null : agentName(client);
}

/** Returns with which agent a session was held, `with Codex`, or that it is a `note`; null for Claude Code. */
export function heldWith(client: string): string | null {
  const other = otherClient(client);
  return other === null || client === NOTE.client ? other : `with ${other}`;
}

/** Like `heldWith`, for agents: says of a note whether the user or an agent wrote it here. */
export function heldWithWhom(turn: Pick<StoredTurn, "client" | "origin" | "foreign">): string | null {
  if (turn.client !== NOTE.client) return heldWith(turn.client);
  if (turn.origin === "agent") return "note by an agent";
  return turn.origin === "human" && turn.foreign === null ? "the user's note" : heldWith(turn.client);
}
