import { agentName, isAgent } from "../../agents/agent.ts";
import type { Origin, TurnRole } from "../../domain.ts";
import { shownName } from "../../text/headline.ts";
import { shownLabel } from "../../turn/marked.ts";
import { textOf } from "../../turn/parts.ts";
import { isSaid, LABELS, type PartKind } from "../../turn/text.ts";
import { isAcceptedPlan } from "../../turn/title.ts";
import { type Informed, type Reported, reportedIn, type Source, sourceOf } from "../statement/reported.ts";

/** What of a turn tells who said its parts. All of it must be known, or words of others pass for the user's. */
export interface SpokenTurn extends Origin, Informed {
  client: string;
  role: TurnRole;
}

/** Words of a turn. */
export interface Spoken {
  kind: PartKind;
  text: string;
  turn: SpokenTurn;
}

/**
 * Says who said words of a turn: the user or the agent by name, and whether it was only thought, or passed on from others. Only
 * what was said in this memory, on any device of its user, is said by "the user": another's user asks nothing here.
 */
export function speakerOf({ kind, text, turn }: Spoken): string {
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
      return `${agent}${passedOn(reportedIn(text, turn))}`;
  }
}

/** What came from elsewhere names its agent itself: it could be called like the user. */
function agentOf(turn: SpokenTurn): string {
  if (turn.client === "claude-code") return "Claude";
  return isOwn(turn) || isAgent(turn.client) ? agentName(turn.client) : "an agent";
}

/** What an agent passes on, and when it says something where that is not plain. */
const PASSED_ON: Readonly<Record<Source, readonly [of: string, after: string]>> = {
  page: ["of a page it read", "after it read a page"],
  server: ["of what a tool returned", "after a tool returned something"],
  subagent: ["of a subagent's report", "after a subagent's report"],
  paste: ["of what was pasted", "of what was pasted"],
  message: ["of what it was sent", "of what it was sent"],
};

function passedOn(reported: Reported | null): string {
  if (reported === null) return "";
  const [of, after] = PASSED_ON[reported.source];
  return `, ${reported.isSaidSo ? of : after}`;
}

const AGENT_NOTE = "an agent, in a note";
/** Who sent a prompt that nobody typed, by the origin of its turn. */
const SENDERS: Readonly<Record<string, string>> = {
  teammate: "another agent",
  session: "another session",
  channel: "a message from elsewhere",
  timer: "a scheduled prompt",
  server: "a server's prompt",
  automated: "a program",
  subagent: "the agent that started it",
};
const UNKNOWN = "an unknown sender";

/** Returns who sent the prompt of a turn that nobody typed; null for one of a person. */
export function senderOf({ origin }: Pick<SpokenTurn, "origin">): string | null {
  return origin === "human" || origin === "agent" ? null : (SENDERS[origin] ?? UNKNOWN);
}

/** What an agent had before it that others wrote, where its words are shown as a whole. */
const GIVEN: Readonly<Record<Source, string>> = {
  page: "after it read a page",
  server: "after a tool returned something",
  subagent: "after a subagent's report",
  paste: "given pasted text",
  message: "given a message",
};

/** Returns the label of a whole part of a turn, such as `[Assistant, after it read a page] `. */
export function partLabel(kind: PartKind, turn: SpokenTurn): string {
  if (kind === "prompt") return promptLabel(turn);
  const label = shownLabel(kind);
  const source = isSaid(kind) ? sourceOf(turn) : null;
  return source === null ? label : `${label.slice(0, label.lastIndexOf("]"))}, ${GIVEN[source]}] `;
}

/** Returns the label of a turn's prompt, `[User] ` where a person asked. */
export function promptLabel(turn: Pick<SpokenTurn, "origin" | "role">): string {
  const sender = turn.role === "turn" ? senderOf(turn) : null;
  return sender === null ? LABELS.prompt : `[${sender.charAt(0).toUpperCase()}${sender.slice(1)}] `;
}

/** What follows a turn is a person's, or of whom all prompts of the conversation are. */
function userOf(kind: "prompt" | "forward", turn: SpokenTurn): string {
  const isOfSession = turn.origin === "automated" || turn.origin === "subagent";
  const sender = kind === "prompt" || isOfSession ? senderOf(turn) : null;
  if (sender !== null) return sender;
  // A turn that came from elsewhere may have an agent's note where a prompt stands.
  if (!isOwn(turn) && kind === "prompt" && turn.origin === "agent") return AGENT_NOTE;
  const user = isOwn(turn) ? "the user" : turn.author === null ? "a user" : shownName(turn.author);
  return kind === "prompt" && isAcceptedPlan(textOf(turn, "prompt") ?? "")
    ? `the plan that ${user} accepted`
    : user;
}

function isOwn({ author, foreign }: Origin): boolean {
  return author === null && foreign === null;
}
