import { agentName, isAgent } from "../../agents/agent.ts";
import type { Origin, TurnRole } from "../../domain.ts";
import { shownName } from "../../text/names.ts";
import { shownLabel } from "../../turn/marked.ts";
import { partText } from "../../turn/parts.ts";
import { isAcceptedPlan } from "../../turn/pasted.ts";
import { isSaid, LABELS, type PartKind, type WordsKind } from "../../turn/text.ts";
import {
  attributionsIn,
  type Reported,
  type ReportSource,
  reportedSource,
  type SourcedTurn,
} from "../statement/reported.ts";

/**
 * The parts of a turn that tell its speakers. All are needed, because otherwise other people's words could pass for the user's.
 */
export interface SpokenTurn extends Origin, SourcedTurn {
  client: string;
  role: TurnRole;
}

/** Words of a turn. */
export interface SpokenWords {
  kind: WordsKind;
  text: string;
  turn: SpokenTurn;
}

/**
 * Names the speaker of words in a turn: the user or the agent by name, with the addition that the words were only thought, or
 * passed on from others. Only words from this memory, on any device of its user, are said by "the user": another user asks
 * nothing here. Who names several words of a turn gives the function that attributes them.
 */
export function speakerLabel(
  { kind, text, turn }: SpokenWords,
  attribute: (sentence: string) => Reported | null = attributionsIn(turn),
): string {
  const agent = agentOf(turn);
  // A summary is in a prompt's place, but the agent wrote it.
  if (turn.role !== "turn") return `${agent}, summing up`;
  switch (kind) {
    case "prompt":
    case "forward":
      return userOf(kind, turn);
    case "unsure":
      return senderLabel(turn) ?? `${userOf("prompt", turn)}, typed or pasted`;
    case "note":
      return isOwn(turn) ? "note" : AGENT_NOTE;
    case "thinking":
      return `${agent}, thinking`;
    default:
      return `${agent}${passedOn(attribute(text))}`;
  }
}

/** Returns the agent that speaks in a turn: an agent that another one started is not the one that the user talked to. */
function agentOf(turn: SpokenTurn): string {
  return isOfSubagent(turn) ? `a subagent of ${programOf(turn)}` : programOf(turn);
}

/** Tells whether another agent started the one that speaks in a turn. */
export function isOfSubagent({ origin }: Pick<SpokenTurn, "origin">): boolean {
  return origin === "subagent";
}

/** A turn from elsewhere names its agent itself, and the name could imitate the user's. */
function programOf(turn: SpokenTurn): string {
  if (turn.client === "claude-code") return "Claude";
  return isOwn(turn) || isAgent(turn.client) ? agentName(turn.client) : "an agent";
}

/** Descriptions of words that an agent passes on, and of words that it said after reading others, when that is unclear. */
const PASSED_ON: Readonly<Record<ReportSource, readonly [of: string, after: string]>> = {
  page: ["of a page it read", "after it read a page"],
  server: ["of what a tool returned", "after a tool returned something"],
  subagent: ["of a subagent's report", "after a subagent's report"],
  paste: ["of what was pasted", "of what was pasted"],
  unsure: ["of what was typed or pasted", "of what was typed or pasted"],
  message: ["of what it was sent", "of what it was sent"],
  file: ["of a file it read", "of a file it read"],
};

function passedOn(reported: Reported | null): string {
  if (reported === null) return "";
  const [of, after] = PASSED_ON[reported.source];
  return `, ${reported.isSaidSo ? of : after}`;
}

const AGENT_NOTE = "an agent, in a note";
/** Senders of prompts that nobody typed, by the origin of the turn. */
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

/** Returns the sender of a turn's prompt that nobody typed; null for a person's. */
export function senderLabel({ origin }: Pick<SpokenTurn, "origin">): string | null {
  return origin === "human" || origin === "agent" ? null : (SENDERS[origin] ?? UNKNOWN);
}

/** Descriptions of other people's texts that an agent had read, for labels of its whole words. */
const GIVEN: Readonly<Record<ReportSource, string>> = {
  page: "after it read a page",
  server: "after a tool returned something",
  subagent: "after a subagent's report",
  paste: "given pasted text",
  unsure: "given text typed or pasted",
  message: "given a message",
  file: "quoting a file",
};

/** Returns the label of a whole part of a turn, such as `[Assistant, after it read a page] `. */
export function partLabel(kind: PartKind, turn: SpokenTurn): string {
  if (kind === "prompt") return promptLabel(turn);
  const label = shownLabel(kind, isOfSubagent(turn) ? "Subagent" : "Assistant");
  const source = isSaid(kind) ? reportedSource(turn) : null;
  return source === null ? label : `${label.slice(0, label.lastIndexOf("]"))}, ${GIVEN[source]}] `;
}

/** Returns the label of a turn's prompt, `[User] ` for a person's. */
export function promptLabel(turn: Pick<SpokenTurn, "origin" | "role">): string {
  const sender = turn.role === "turn" ? senderLabel(turn) : null;
  return sender === null ? LABELS.prompt : `[${sender.charAt(0).toUpperCase()}${sender.slice(1)}] `;
}

/**
 * Returns the speaker of a prompt. The one after a turn is a person's, or the common sender's of all prompts in the conversation.
 */
function userOf(kind: "prompt" | "forward", turn: SpokenTurn): string {
  const isOfSession = turn.origin === "automated" || turn.origin === "subagent";
  const sender = kind === "prompt" || isOfSession ? senderLabel(turn) : null;
  if (sender !== null) return sender;
  // A turn from elsewhere may have an agent's note in a prompt's place.
  if (!isOwn(turn) && kind === "prompt" && turn.origin === "agent") return AGENT_NOTE;
  const user = isOwn(turn) ? "the user" : turn.author === null ? "a user" : shownName(turn.author);
  return kind === "prompt" && isAcceptedPlan(partText(turn, "prompt") ?? "")
    ? `the plan that ${user} accepted`
    : user;
}

function isOwn({ author, foreign }: Origin): boolean {
  return author === null && foreign === null;
}
