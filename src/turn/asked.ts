import { isAgentMessage } from "../text/agent-message.ts";
import { headline } from "../text/headline.ts";
import { ownWords } from "./pasted.ts";

/** Returns what a person asks in a prompt in their own words, on one line; empty where all of it was pasted. */
export function askedIn(prompt: string): string {
  // What agents of a team send each other is JSON by itself.
  const own = isAgentMessage(prompt) ? prompt : ownWords(prompt);
  const line = own === "" ? "" : headline(own);
  return /[\p{L}\p{N}]/u.test(line) ? line : "";
}

/** Like `askedIn`; what was only pasted is said to be so. */
export function askedOrPasted(prompt: string): string {
  const asked = askedIn(prompt);
  if (asked !== "" || prompt.trim() === "") return asked;
  return `Pasted: ${headline(prompt)}`;
}

/** Tells whether a prompt is a plan that the agent wrote and its user accepted: Claude Code starts a session with it. */
export function isAcceptedPlan(prompt: string): boolean {
  return /^Implement the following plan:\s*\n/.test(prompt);
}
