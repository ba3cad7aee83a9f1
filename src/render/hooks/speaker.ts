import { agentName } from "../../agents/names.ts";
import { onOneLine } from "../../text/one-line.ts";
import type { PartKind } from "../../turn/text.ts";

/** Says who said a part of a turn: the user or the agent by name, and whether it was only thought. */
export function speakerOf(
  kind: PartKind,
  { author, client }: { author: string | null; client: string },
): string {
  const user = author === null ? "the user" : onOneLine(author);
  if (kind === "prompt" || kind === "forward") return user;
  if (kind === "note") return "note";
  const agent = client === "claude-code" ? "Claude" : agentName(client);
  return kind === "thinking" ? `${agent}, thinking` : agent;
}
