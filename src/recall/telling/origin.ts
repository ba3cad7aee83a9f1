import { agentName } from "../../agents/agent.ts";
import { NOTE } from "../../constants.ts";
import type { Origin } from "../../domain.ts";
import type { MarkKind } from "../../store/marks.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { shownAuthors, shownName } from "../../text/names.ts";

/** Returns the owner of a row: `by ada`, `imported from kettle`; null for a local row. */
export function ownerLabel({ author, foreign }: Origin): string | null {
  if (author !== null) return `by ${shownAuthors(author)}`;
  return foreign === null ? null : `imported from ${shownName(foreign)}`;
}

/** Returns the owner for lists, which also name the user's other device: `said on laptop`. */
export function saidWhere(row: Origin): string | null {
  return ownerLabel(row) ?? (row.device === undefined ? null : `said on ${shownDevice(row.device)}`);
}

/** Returns the name of a device, with the start of its id if another one has the same name. */
export function shownDevice(device: string): string {
  const [, name = device, id = ""] = /^(.*?)( \([0-9a-f]{6}\))?$/su.exec(device) ?? [];
  return `${shownName(name)}${id}`;
}

/** Returns author and device for JSON, only for a colleague's row or one from another device. */
export function originJson({ author, device }: Omit<Origin, "foreign">): {
  author?: string;
  device?: string;
} {
  return { ...authorJson({ author }), ...(device !== undefined && { device }) };
}

/** Returns the prefix of a row that was not made here, or came from another device. Empty for a local row. */
export function originMark(row: Origin): string {
  const origin = ownerLabel(row) ?? (row.device === undefined ? null : `on ${shownDevice(row.device)}`);
  return origin === null ? "" : `[${origin}] `;
}

/** Returns the author for JSON, only for a colleague's row. */
export function authorJson({ author }: Pick<Origin, "author">): { author?: string } {
  return author === null ? {} : { author };
}

/** Returns the displayed name of a session's coding agent; null for Claude Code, the usual one. */
export function otherClient(client: string): string | null {
  return client === "claude-code" ? null : agentName(client);
}

/** Returns the agent of a session, `with Codex`, or `note`; null for Claude Code. */
export function agentLabel(client: string): string | null {
  const other = otherClient(client);
  return other === null || client === NOTE.client ? other : `with ${other}`;
}

/** Returns the agent like `agentLabel`, for agents: a local note also names its author, the user or an agent. */
export function heldWithWhom(turn: Pick<StoredTurn, "client" | "origin" | "foreign">): string | null {
  if (turn.client !== NOTE.client) return agentLabel(turn.client);
  if (turn.origin === "agent") return "note by an agent";
  return turn.origin === "human" && turn.foreign === null ? "the user's note" : agentLabel(turn.client);
}

/** Displayed names of marks. */
export const MARK_WORDS: Readonly<Record<MarkKind, string>> = {
  good: "good",
  bad: "bad",
  mute: "muted",
  pin: "pinned",
  undone: "taken back",
  prompt_only: "only the prompt is left",
};

/** Returns the note that only the prompt of a row is left; null for other rows. */
export function promptOnlyWords({ promptOnly }: { promptOnly?: true }): string | null {
  return promptOnly ? MARK_WORDS.prompt_only : null;
}

/** Returns the same note for JSON. */
export function promptOnlyJson({ promptOnly }: { promptOnly?: true }): { prompt_only?: true } {
  return promptOnly ? { prompt_only: true } : {};
}
