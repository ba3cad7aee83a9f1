import type { Sender } from "../../domain.ts";
import type { Said } from "../../ingest/transcript/events.ts";
import { type EntryText, joinTexts } from "../../ingest/transcript/transcript.ts";
import { asObject, asString, parseObject } from "../../io/json.ts";
import { CAVEAT_NOTICE, CLIENT_TAGS, CONTINUED_NOTICE, INTERRUPTED, typedText } from "../notices.ts";
import type { Entry } from "./entry.ts";

/** Starts of texts that Claude Code writes in the user's name, with the reason why they are not prompts. */
const ECHOES: readonly (readonly [start: RegExp, reason: string])[] = [
  [startOf([literal(INTERRUPTED)]), "interruption"],
  [startOf([...tags(CLIENT_TAGS.notification), literal("[SYSTEM NOTIFICATION")]), "notification"],
  [startOf([...tags(CLIENT_TAGS.echo), literal(CAVEAT_NOTICE)]), "command_echo"],
];

/** Classifies the texts of a user entry or a queued command. In recent versions, the entry itself names its author. */
export function classifyTexts(entry: Entry, texts: readonly EntryText[], isQueued: boolean): Said {
  const text = joinTexts(texts).trim();
  // A person may paste a summary: the text alone makes none.
  const isSummary = entry.isAfterCompaction && text.startsWith(CONTINUED_NOTICE);
  if (entry.raw.isCompactSummary === true || isSummary) {
    return { kind: "compaction_summary", text: typedText(text) };
  }
  if (entry.raw.isMeta === true) return { kind: "skipped", reason: "meta" };
  const echo = ECHOES.find(([start]) => start.test(text));
  if (echo) return { kind: "skipped", reason: echo[1] };
  if (text.startsWith("<command-")) return { kind: "command", text: commandText(text) };
  if (isNotification(entry)) return { kind: "skipped", reason: "notification" };
  const sent = sentIn(text);
  const typed = sent === null ? typedText(text) : sent.text;
  if (typed === "") return { kind: "skipped", reason: sent === null ? "no_text" : "notification" };
  const by = sent?.by ?? senderOf(entry);
  const isPlan = typeof entry.raw.planContent === "string";
  return { kind: "prompt", text: typed, isQueued, ...(by !== null && { by }), ...(isPlan && { isPlan }) };
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

/** Tells whether an answer is not from a model: an API error or a placeholder. */
export function isSynthetic(entry: Entry): boolean {
  return entry.message?.model === "<synthetic>" || entry.raw.isApiErrorMessage === true;
}

/** A message in place of a prompt, in a tag that names its sender. */
interface Sent {
  by: Sender;
  /** Its text; several messages are joined with their names. Empty for notices alone. */
  text: string;
}

/** Tags of such messages, with their senders. */
const TAGS: Readonly<Record<string, Sender>> = {
  "teammate-message": "teammate",
  "cross-session-message": "session",
  channel: "channel",
  "github-webhook-activity": "channel",
  "review-comment": "channel",
  "pr-comment": "channel",
  "issue-comment": "channel",
};
const TAG = new RegExp(`^<(${Object.keys(TAGS).join("|")})\\b[^<>]*>`);
/** Patterns of the messages in each tag. */
const MESSAGES: ReadonlyMap<string, RegExp> = new Map(
  Object.keys(TAGS).map((tag) => [tag, new RegExp(`<${tag}\\b([^<>]*)>([\\s\\S]*?)(?:</${tag}>|$)`, "g")]),
);
/** Claude Code's introduction to a message of another session. */
const PREAMBLE =
  /^(?:another|an?|your) [^\n<:]{0,60}(?:session|agent|teammate|instance)\b[^\n<:]{0,60}:?\s*(?=<)/i;
const NAME = /\b(?:teammate_id|from|source|user|author|session_id)="([^"]*)"/;

/** Parses a message in its tag; null for other texts. */
function sentIn(text: string): Sent | null {
  const sent = text.replace(PREAMBLE, "");
  const tag = TAG.exec(sent)?.[1];
  const [by, pattern] = tag === undefined ? [] : [TAGS[tag], MESSAGES.get(tag)];
  if (by === undefined || pattern === undefined) return null;
  const messages = messagesIn(sent, pattern);
  const [only, ...others] = messages;
  return {
    by,
    text:
      others.length === 0
        ? (only?.words ?? "")
        : messages.map(({ name, words }) => `From ${name}:\n\n${words}`).join("\n\n"),
  };
}

function messagesIn(text: string, pattern: RegExp): { name: string; words: string }[] {
  return [...text.matchAll(pattern)].flatMap(([, attributes = "", body = ""]) => {
    const words = wordsIn(body.trim());
    return words === "" ? [] : [{ name: NAME.exec(attributes)?.[1] ?? "another one", words }];
  });
}

/** Returns the task in a message. Agents of a team also send each other status records, which contain none. */
function wordsIn(body: string): string {
  const record = body.startsWith("{") ? parseObject(body) : null;
  if (record === null || record === undefined || asString(record.type) === null) return typedText(body);
  if (record.type !== "task_assignment") return "";
  return [record.subject, record.description]
    .map(asString)
    .filter((part) => part !== null)
    .join("\n\n");
}

/** Senders by the names in an entry's fields. An unlisted name is not the user. */
const KINDS: readonly (readonly [name: RegExp, by: Sender | null])[] = [
  [
    /^(?:human|user|typed|queued|pasted|voice|dictat\w*|ide|sdk|cli|remote\w*|mobile|web|suggest\w*|history|editor|external|ant)$/,
    null,
  ],
  [/teammate|swarm/, "teammate"],
  [/wake|schedul|cron|timer|loop|poll|routine/, "timer"],
  [/mcp|server/, "server"],
  [/channel|review|comment|webhook|github|gitlab|slack|mention|issue|pull/, "channel"],
  [/session|peer|agent|coordinator/, "session"],
];

/**
 * Returns the sender according to an entry itself; null for a person, a program that drives the session, and when the entry does
 * not tell.
 */
function senderOf({ raw }: Entry): Sender | null {
  if (asString(raw.wakeupSource) !== null) return "timer";
  const origin = asString(raw.origin) ?? asString(asObject(raw.origin)?.kind);
  for (const name of [origin, raw.promptSource, raw.turnOrigin, raw.userType].map(asString)) {
    if (name === null) continue;
    const lower = name.toLowerCase();
    const by = KINDS.find(([kind]) => kind.test(lower));
    if (by === undefined) return "other";
    if (by[1] !== null) return by[1];
  }
  return null;
}

/** Tells whether an entry only reports on background work. */
function isNotification({ raw }: Entry): boolean {
  if (raw.promptSource === "system" || raw.turnOrigin === "task_notification") return true;
  return asString(asObject(raw.origin)?.kind)?.endsWith("notification") ?? false;
}

/** Tells whether a person typed this prompt, whatever program started the session. Without a terminal, nobody types. */
export function isTyped(entry: Entry): boolean {
  if (entry.type !== "user") return false;
  if (entry.raw.promptSource === "typed") return true;
  return asObject(entry.raw.origin)?.kind === "human" && entry.entrypoint !== "sdk-cli";
}

/** Tells whether a program drives the session: an SDK, or Claude Code without a terminal; null when unknown. */
export function isAutomated({ entrypoint }: Entry): boolean | null {
  return entrypoint === null ? null : entrypoint.startsWith("sdk");
}
