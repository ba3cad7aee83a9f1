import type { Said } from "../../transcript/events.ts";

const INPUT = /^(?:(?!<user_input\b)[\s\S])*<user_input\b[^<>]*>([\s\S]*)<\/user_input>/;
/** The text that replaces a user's command. */
const COMMAND =
  /<user_command\b[^<>]*?\bslash="([^"<>]*)"[^<>]*>((?:(?!<user_command\b)[\s\S])*?)<\/user_command>/g;
const TEAM = /^\s*spawn a team of agents for the following task:\s*/i;
/** Text that the client adds to a prompt. */
const ADDED = /<(mode_notice|file_content)\b[^<>]*>[\s\S]*?(?:<\/\1>|$)/g;
/** Starts of texts that the client writes itself. */
const CLIENTS = ["[SYSTEM]", "<SYSTEM_NOTICE>", "System-delivered teammate async run updates:"];

/** Classifies the text of a user message. A prompt is in `<user_input>`; older versions wrote it without a tag. */
export function said(text: string): Said {
  const commands: string[] = [];
  const input = (INPUT.exec(text)?.[1] ?? text).replace(ADDED, "");
  const typed = input
    .replace(COMMAND, (_, slash: string, instructions: string) => {
      commands.push(slash);
      // The task of a team was typed. The instructions of any other command were not.
      return slash === "team" ? `/team ${instructions.replace(TEAM, "")}` : `/${slash}`;
    })
    .trim();
  if (typed === "") return { kind: "skipped", reason: "no_text" };
  if (CLIENTS.some((start) => typed.startsWith(start))) return { kind: "skipped", reason: "notification" };
  if (commands.some((slash) => typed === `/${slash}`)) return { kind: "command", text: typed };
  return { kind: "prompt", text: typed, isQueued: false };
}
