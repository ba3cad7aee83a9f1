import type { Said } from "../../transcript/events.ts";
import { objectOf, parseObject, stringOf } from "../../transcript/json.ts";
import { type EntryText, wordsOf } from "../../transcript/transcript.ts";
import { CAVEAT, CLIENT_TAGS, CONTINUED, INTERRUPTED, typedIn } from "../notices.ts";
import type { Entry } from "./entry.ts";

/** How texts begin that Claude Code writes in the user's name, and why they are no prompts. */
const ECHOES: readonly (readonly [start: RegExp, reason: string])[] = [
  [startOf([literal(INTERRUPTED)]), "interruption"],
  [startOf([...tags(CLIENT_TAGS.notification), literal("[SYSTEM NOTIFICATION")]), "notification"],
  [startOf([...tags(CLIENT_TAGS.echo), literal(CAVEAT)]), "command_echo"],
];

const TEAMMATE = /<teammate-message\b([^>]*)>([\s\S]*?)(?:<\/teammate-message>|$)/g;
const TEAMMATE_ID = /\bteammate_id="([^"]*)"/;

/** Classifies the texts of a user entry or a queued command. In recent versions, the entry itself says who wrote it. */
export function said(entry: Entry, texts: readonly EntryText[], isQueued: boolean): Said {
  const text = wordsOf(texts).trim();
  if (entry.raw.isCompactSummary === true || text.startsWith(CONTINUED)) {
    return { kind: "compaction_summary", text: typedIn(text) };
  }
  if (entry.raw.isMeta === true) return { kind: "skipped", reason: "meta" };
  const echo = ECHOES.find(([start]) => start.test(text));
  if (echo) return { kind: "skipped", reason: echo[1] };
  if (text.startsWith("<command-")) return { kind: "command", text: commandText(text) };
  if (isFromSystem(entry)) return { kind: "skipped", reason: "notification" };
  const isTeammate = text.startsWith("<teammate-message");
  const typed = isTeammate ? fromTeammates(text) : typedIn(text);
  if (typed === "") return { kind: "skipped", reason: isTeammate ? "notification" : "no_text" };
  return { kind: "prompt", text: typed, isTeammate, isQueued };
}

/** Returns what other agents of the team wrote, of several each with its name; empty where there are notices alone. */
function fromTeammates(text: string): string {
  const messages = [...text.matchAll(TEAMMATE)].flatMap(([, attributes = "", body = ""]) => {
    const words = teammateWords(body.trim());
    return words === "" ? [] : [{ name: TEAMMATE_ID.exec(attributes)?.[1] ?? "a teammate", words }];
  });
  const [only, ...others] = messages;
  if (others.length === 0) return only?.words ?? "";
  return messages.map(({ name, words }) => `From ${name}:\n\n${words}`).join("\n\n");
}

/** Agents of a team also send each other records, such as that one of them has nothing to do. Only a task says something. */
function teammateWords(body: string): string {
  const record = body.startsWith("{") ? parseObject(body) : null;
  if (record === null || record === undefined || stringOf(record.type) === null) return typedIn(body);
  if (record.type !== "task_assignment") return "";
  return [record.subject, record.description]
    .map(stringOf)
    .filter((part) => part !== null)
    .join("\n\n");
}

function startOf(patterns: readonly string[]): RegExp {
  return new RegExp(`^(?:${patterns.join("|")})`);
}

function tags(names: readonly string[]): string[] {
  return names.map((name) => `<${name}\\b`);
}

function literal(text: string): string {
  return text.replace(/[[\]]/g, "\\$&");
}

/** Returns a command as `/name arguments`; empty when it has no name. */
function commandText(text: string): string {
  const name = /<command-name>((?:(?!<command-name>)[\s\S])*?)<\/command-name>/.exec(text)?.[1]?.trim() ?? "";
  const args = /<command-args>((?:(?!<command-args>)[\s\S])*?)<\/command-args>/.exec(text)?.[1]?.trim() ?? "";
  return `${name} ${args}`.trim();
}

function isFromSystem(entry: Entry): boolean {
  if (entry.raw.promptSource === "system" || entry.raw.turnOrigin === "task_notification") return true;
  return stringOf(objectOf(entry.raw.origin)?.kind)?.endsWith("notification") ?? false;
}

/** True when a person typed this prompt, whatever program started the session. */
export function isTyped(entry: Entry): boolean {
  if (entry.type !== "user") return false;
  return entry.raw.promptSource === "typed" || objectOf(entry.raw.origin)?.kind === "human";
}

/** True when a program drives the session: an SDK, or Claude Code without a terminal; null when that is not known. */
export function automatedBy({ entrypoint }: Entry): boolean | null {
  return entrypoint === null ? null : entrypoint.startsWith("sdk");
}

/** True for answers that are not from a model: API errors and placeholders. */
export function isSynthetic(entry: Entry): boolean {
  return entry.message?.model === "<synthetic>" || entry.raw.isApiErrorMessage === true;
}
