import type { TitleSource } from "../../domain.ts";
import type {
  CompactionMark,
  Message,
  PrLinkEvent,
  Said,
  SkippedEvent,
  TranscriptEvent,
} from "../../ingest/transcript/events.ts";
import { wordsOf } from "../../ingest/transcript/transcript.ts";
import { numberOf, objectOf, stringOf } from "../../io/json.ts";
import { contentOf, notifiedReport } from "./content.ts";
import type { Entry } from "./entry.ts";
import { automatedBy, isTyped } from "./sender.ts";
import { isSynthetic, said } from "./speaker.ts";

/** Recent versions append a hint how to disable recaps. */
const RECAP_HINT = /(?<!\s)\s*\(disable recaps in \/config\)\s*$/;

/** Returns the event of an entry. The subagent is the one that the entry names; the file may know better. */
export function eventOf(entry: Entry): TranscriptEvent {
  switch (entry.type) {
    case "summary":
      return titleOf(entry, "summary", entry.raw.summary);
    case "custom-title":
      return titleOf(entry, "custom-title", entry.raw.customTitle);
    case "ai-title":
      return titleOf(entry, "ai-title", entry.raw.aiTitle);
    case "pr-link":
      return prLinkOf(entry);
    case "user":
      return conversation(entry, userMessage(entry));
    case "assistant":
      return conversation(entry, assistantMessage(entry));
    case "attachment":
      return conversation(entry, attachmentMessage(entry));
    case "system":
      return conversation(entry, systemMessage(entry));
    default:
      return skipped(entry.type);
  }
}

function skipped(reason: string): SkippedEvent {
  return { kind: "skipped", reason };
}

function titleOf({ sessionId }: Entry, source: TitleSource, title: unknown): TranscriptEvent {
  return { kind: "title", sessionId, source, title: stringOf(title) };
}

/** Without its number or address a pull request cannot be found again. */
function prLinkOf({ sessionId, timestamp, raw }: Entry): PrLinkEvent {
  const number = numberOf(raw.prNumber);
  const url = stringOf(raw.prUrl);
  const repository = stringOf(raw.prRepository) ?? "";
  const link = number === null || url === null ? null : { number, url, repository, timestamp };
  return { kind: "pr_link", sessionId, link };
}

function conversation(entry: Entry, message: Message): TranscriptEvent {
  const { uuid, sessionId, agentId, timestamp, cwd, branch, version, model } = entry;
  return {
    kind: "conversation",
    uuid,
    sessionId,
    agentId,
    timestamp,
    cwd,
    branch,
    version,
    model,
    isTyped: isTyped(entry),
    isAutomated: automatedBy(entry),
    message,
  };
}

function userMessage(entry: Entry): Message {
  const { texts, results } = contentOf(entry);
  if (results.length > 0)
    return { kind: "results", results, said: texts.length > 0 ? said(entry, texts, false) : null };
  if (texts.length === 0) return skipped(entry.message ? "no_text" : "no_message");
  if ("toolUseResult" in entry.raw) return skipped("tool_result");
  const report = notifiedReport(wordsOf(texts).trim());
  return report
    ? { kind: "results", results: [report], said: skipped("notification") }
    : said(entry, texts, false);
}

function assistantMessage(entry: Entry): Message {
  if (isSynthetic(entry)) return skipped("api_error");
  const { texts, calls } = contentOf(entry);
  return { kind: "work", texts, calls };
}

/** A prompt that was typed while Claude worked may stand in an attachment only. */
function attachmentMessage(entry: Entry): Said {
  const attachment = objectOf(entry.raw.attachment);
  if (attachment?.type !== "queued_command") return skipped("attachment");
  const mode = stringOf(attachment.commandMode);
  if (mode !== null && mode !== "prompt") return skipped("notification");
  // What was queued says itself who sent it.
  const queued = { ...entry, raw: { ...entry.raw, ...attachment } };
  const { texts } = contentOf({ ...entry, message: { content: attachment.prompt } });
  return texts.length === 0 ? skipped("no_text") : said(queued, texts, true);
}

function systemMessage({ raw }: Entry): Message {
  if (raw.subtype === "compact_boundary") return compactionOf(raw.compactMetadata);
  if (raw.subtype !== "away_summary") return skipped("system");
  return { kind: "recap", text: stringOf(raw.content)?.replace(RECAP_HINT, "") ?? "" };
}

function compactionOf(metadata: unknown): CompactionMark {
  const known = objectOf(metadata);
  return { kind: "compaction", trigger: stringOf(known?.trigger), preTokens: numberOf(known?.preTokens) };
}
