import { agentName } from "../../agents/names.ts";
import type { TurnRole } from "../../domain.ts";
import { onOneLine } from "../../text/one-line.ts";
import type { PartKind } from "../../turn/text.ts";

/** Says who said a part of a turn: the user or the agent by name, and whether it was only thought. */
export function speakerOf(
  kind: PartKind,
  { author, client, role }: { author: string | null; client: string; role?: TurnRole },
): string {
  const agent = client === "claude-code" ? "Claude" : agentName(client);
  // A summary stands where a prompt would, but the agent wrote it.
  if (role !== undefined && role !== "turn") return `${agent}, summing up`;
  const user = author === null ? "the user" : onOneLine(author);
  if (kind === "prompt" || kind === "forward") return user;
  if (kind === "note") return "note";
  return kind === "thinking" ? `${agent}, thinking` : agent;
}
