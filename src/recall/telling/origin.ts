import { agentName } from "../../agents/agent.ts";
import { NOTE } from "../../constants.ts";
import type { Origin } from "../../domain.ts";
import type { MarkKind } from "../../store/marks.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { shownName } from "../../text/headline.ts";

/** Says whose a row is: `by ada`, `imported from kettle`; null for what was made here. */
export function originOf({ author, foreign }: Origin): string | null {
  if (author !== null) return `by ${shownName(author)}`;
  return foreign === null ? null : `imported from ${shownName(foreign)}`;
}

/** The same for lists, which also name the user's own device where it was said: `said on laptop`. */
export function saidWhere(row: Origin): string | null {
  return originOf(row) ?? (row.device === undefined ? null : `said on ${shownDevice(row.device)}`);
}

/** The name of a device, with the start of its id where another one has the same name. */
export function shownDevice(device: string): string {
  const [, name = device, id = ""] = /^(.*?)( \([0-9a-f]{6}\))?$/su.exec(device) ?? [];
  return `${shownName(name)}${id}`;
}

/** The author and the device in JSON: only of what a colleague made, or was said on another device. */
export function originJson({ author, device }: Omit<Origin, "foreign">): {
  author?: string;
  device?: string;
} {
  return { ...authorJson({ author }), ...(device !== undefined && { device }) };
}

/** Stands before what was not made here, or was said on another device of the user. Empty for what was made here. */
export function originMark(row: Origin): string {
  const origin = originOf(row) ?? (row.device === undefined ? null : `on ${shownDevice(row.device)}`);
  return origin === null ? "" : `[${origin}] `;
}

/** The author in JSON: only of what a colleague made. */
export function authorJson({ author }: Pick<Origin, "author">): { author?: string } {
  return author === null ? {} : { author };
}

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

/** How a mark is shown beside a turn. */
export const MARK_WORDS: Readonly<Record<MarkKind, string>> = {
  good: "good",
  bad: "bad",
  mute: "muted",
  pin: "pinned",
  undone: "taken back",
  prompt_only: "only the prompt is left",
};

/** Says of a row that only the prompt is left; null of any other row. */
export function promptOnlyWords({ promptOnly }: { promptOnly?: true }): string | null {
  return promptOnly ? MARK_WORDS.prompt_only : null;
}

/** The same in JSON. */
export function promptOnlyJson({ promptOnly }: { promptOnly?: true }): { prompt_only?: true } {
  return promptOnly ? { prompt_only: true } : {};
}
