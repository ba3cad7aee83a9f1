import type { Said } from "../../ingest/transcript/events.ts";
import { type EntryText, wordsOf } from "../../ingest/transcript/transcript.ts";
import { CAVEAT, CLIENT_TAGS, CONTINUED, INTERRUPTED, typedIn } from "../notices.ts";
import type { Entry } from "./entry.ts";
import { isNotification, senderOf, sentIn } from "./sender.ts";

/** How texts begin that Claude Code writes in the user's name, and why they are no prompts. */
const ECHOES: readonly (readonly [start: RegExp, reason: string])[] = [
  [startOf([literal(INTERRUPTED)]), "interruption"],
  [startOf([...tags(CLIENT_TAGS.notification), literal("[SYSTEM NOTIFICATION")]), "notification"],
  [startOf([...tags(CLIENT_TAGS.echo), literal(CAVEAT)]), "command_echo"],
];

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
  if (isNotification(entry)) return { kind: "skipped", reason: "notification" };
  const sent = sentIn(text);
  const typed = sent === null ? typedIn(text) : sent.text;
  if (typed === "") return { kind: "skipped", reason: sent === null ? "no_text" : "notification" };
  const by = sent?.by ?? senderOf(entry);
  return { kind: "prompt", text: typed, isQueued, ...(by !== null && { by }) };
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

/** True for answers that are not from a model: API errors and placeholders. */
export function isSynthetic(entry: Entry): boolean {
  return entry.message?.model === "<synthetic>" || entry.raw.isApiErrorMessage === true;
}
