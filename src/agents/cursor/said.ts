import type { Said } from "../../ingest/transcript/events.ts";
import { timeOf } from "../conversation.ts";

const QUERY = /<user_query>([\s\S]*?)(?:<\/user_query>|$)/;
const TIMESTAMP = /<timestamp>((?:(?!<timestamp>)[\s\S])*?)<\/timestamp>/;
/** Passages that the command line adds to what the person typed. */
const ADDED =
  /<(user_info|timestamp|system_reminder|system-reminder|additional_data|attached_files|open_and_recently_viewed_files|git_status|rules|agent_transcripts|agent_skills|mcp_file_system|project_layout|cursor_commands|manually_attached_skills)\b[^<>]*>[\s\S]*?(?:<\/\1>|$)/g;

/** Classifies the text of a user message. What was typed stands in `<user_query>`; the editor writes it without a tag. */
export function said(text: string): Said {
  const typed = (QUERY.exec(text)?.[1] ?? text.replace(ADDED, "")).trim();
  if (typed === "") return { kind: "skipped", reason: "context" };
  return { kind: "prompt", text: typed, isQueued: false };
}

/**
 * Returns when a message was typed, where the command line wrote that beside it:
 * `Monday, Sep 29, 2026, 10:12 AM (UTC+2)`.
 */
export function timeIn(text: string): string | null {
  const given = TIMESTAMP.exec(text)?.[1]?.trim() ?? "";
  const zone = /\(UTC(?:([+-]\d{1,2})(?::(\d\d))?)?\)/.exec(given);
  const date = given.replace(/(?<!\s)\s*\(.{0,200}$/, "");
  if (zone === null || date === "") return timeOf(given);
  const [, hours = "+0", minutes = "00"] = zone;
  const offset = `${hours.startsWith("-") ? "-" : "+"}${hours.slice(1).padStart(2, "0")}${minutes}`;
  const parsed = Date.parse(`${date.replace(/^\w+,\s*/, "")} GMT${offset}`);
  return Number.isNaN(parsed) ? null : timeOf(parsed);
}
