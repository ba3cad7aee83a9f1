import type { TitleSource } from "../../domain.ts";
import type {
  CompactionMark,
  Message,
  PrLinkEvent,
  Said,
  SkippedEvent,
  TranscriptEvent,
} from "../../ingest/transcript/events.ts";
import type { LineAdapter, LineResult } from "../../ingest/transcript/json-lines.ts";
import type { LineReader } from "../../ingest/transcript/lines.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import type { Recorder, RecordSource, Skipped } from "../../ingest/transcript/recorder.ts";
import type { ReaderState } from "../../ingest/transcript/state.ts";
import type { Place } from "../../ingest/transcript/thread.ts";
import { joinTexts } from "../../ingest/transcript/transcript.ts";
import { asNumber, asObject, asString, type JsonObject } from "../../io/json.ts";
import type { SourceFile } from "../agent.ts";
import { agentSource, conversation } from "../conversation.ts";
import { contentOf, notifiedReport } from "./content.ts";
import { type Entry, parseEntry, RECORD_SHAPE } from "./entry.ts";
import { agentMeta, sourceFile } from "./project-sessions.ts";
import { classifyTexts, isAutomated, isSynthetic, isTyped } from "./speaker.ts";

/** Entry types with content to store. Every other type is skipped and counted under its name. */
const KEPT: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "system",
  "attachment",
  "summary",
  "custom-title",
  "ai-title",
  "pr-link",
]);

/** Matches an entry's type after plain values alone, so that it is not that of a nested message, or text in a prompt. */
const TYPE = /^\{(?:"\w+":(?:"[^"\\]*"|[\w.-]+),)*"type":"([\w-]{1,40})"/;
const HEAD_CHARS = 1_000;

/** Interprets the lines of a Claude Code transcript. Skips lines without useful content before parsing. */
export class ClaudeCodeLines implements LineAdapter {
  readonly shape: RecordShape = RECORD_SHAPE;
  readonly source: RecordSource;
  readonly #file: SourceFile;
  readonly #sidechains: Sidechains;
  /** The latest record of a compaction. */
  #compaction: string | null = null;

  constructor(path: string, state: ReaderState) {
    this.#file = sourceFile(path);
    this.#sidechains = new Sidechains(state.agentState);
    this.source = agentSource(this.#file, this.#file.agentId === null ? undefined : agentMeta(path));
  }

  onMainPrompt(): void {
    this.#sidechains.forget();
  }

  get state(): string | null {
    return this.#sidechains.latest;
  }

  passOver(lines: LineReader): Skipped {
    const { bytes, start, end } = lines;
    const type = TYPE.exec(bytes.toString("latin1", start, Math.min(end, start + HEAD_CHARS)))?.[1];
    return type === undefined || KEPT.has(type) || lines.hasGlue() ? null : type;
  }

  read(object: JsonObject, place: Place, recorder: Recorder): LineResult {
    const entry = parseEntry(object);
    if (entry === null) return "no_type";
    // Titles at the start of a file belong to other sessions in the list of sessions.
    if (entry.type === "summary" && recorder.lastSession === null) return "summary_elsewhere";
    entry.isAfterCompaction = entry.parentUuid !== null && entry.parentUuid === this.#compaction;
    if (entry.raw.subtype === "compact_boundary") this.#compaction = entry.uuid;
    const event = eventOf(entry);
    if (event.kind === "conversation") event.agentId = this.#agentOf(entry, place);
    return [event];
  }

  #agentOf(entry: Entry, { line }: Place): string | null {
    if (this.#file.agentId !== null) return entry.agentId ?? this.#file.agentId;
    if (!entry.isSidechain) return null;
    return entry.agentId ?? this.#sidechains.idOf(entry, line);
  }
}

/** Number of entries to remember for chains. The entries of a chain are close together. */
const MAX_REMEMBERED = 20_000;

/**
 * Gives inline sidechains a stable agent id, the id of their first entry. Old versions of Claude Code wrote them into the main
 * transcript without an agent id.
 */
class Sidechains {
  readonly #chainOf = new Map<string, string>();
  latest: string | null;

  constructor(latest: string | null) {
    this.latest = latest;
  }

  idOf(entry: Entry, lineIndex: number): string {
    const known = entry.parentUuid === null ? null : (this.#chainOf.get(entry.parentUuid) ?? this.latest);
    const id = known ?? `sidechain-${entry.uuid?.slice(0, 8) ?? lineIndex}`;
    this.latest = id;
    if (this.#chainOf.size >= MAX_REMEMBERED) this.#chainOf.clear();
    if (entry.uuid !== null) this.#chainOf.set(entry.uuid, id);
    return id;
  }

  forget(): void {
    this.#chainOf.clear();
    this.latest = null;
  }
}

/** A hint on disabling recaps, which recent versions append. */
const RECAP_HINT = /(?<!\s)\s*\(disable recaps in \/config\)\s*$/;

/** Returns the event of an entry, with the subagent that the entry names; the file's own subagent takes precedence. */
function eventOf(entry: Entry): TranscriptEvent {
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
      return messageEvent(entry, userMessage(entry));
    case "assistant":
      return messageEvent(entry, assistantMessage(entry));
    case "attachment":
      return messageEvent(entry, attachmentMessage(entry));
    case "system":
      return messageEvent(entry, systemMessage(entry));
    default:
      return skipped(entry.type);
  }
}

function skipped(reason: string): SkippedEvent {
  return { kind: "skipped", reason };
}

function titleOf({ sessionId }: Entry, source: TitleSource, title: unknown): TranscriptEvent {
  return { kind: "title", sessionId, source, title: asString(title) };
}

/** Returns the pull request of an entry. It needs a number and an address to be found again. */
function prLinkOf({ sessionId, timestamp, raw }: Entry): PrLinkEvent {
  const number = asNumber(raw.prNumber);
  const url = asString(raw.prUrl);
  const repository = asString(raw.prRepository) ?? "";
  const link = number === null || url === null ? null : { number, url, repository, timestamp };
  return { kind: "pr_link", sessionId, link };
}

function messageEvent(entry: Entry, message: Message): TranscriptEvent {
  const { uuid, sessionId, agentId, timestamp, cwd, branch, version, model } = entry;
  const about = { uuid, sessionId, agentId, timestamp, cwd, branch, version, model };
  return conversation(message, { ...about, isTyped: isTyped(entry), isAutomated: isAutomated(entry) });
}

function userMessage(entry: Entry): Message {
  const { texts, results } = contentOf(entry);
  if (results.length > 0)
    return { kind: "results", results, said: texts.length > 0 ? classifyTexts(entry, texts, false) : null };
  if (texts.length === 0) return skipped(entry.message ? "no_text" : "no_message");
  if ("toolUseResult" in entry.raw) return skipped("tool_result");
  const report = notifiedReport(joinTexts(texts).trim());
  return report
    ? { kind: "results", results: [report], said: skipped("notification") }
    : classifyTexts(entry, texts, false);
}

function assistantMessage(entry: Entry): Message {
  if (isSynthetic(entry)) return skipped("api_error");
  const { texts, calls } = contentOf(entry);
  return { kind: "work", texts, calls };
}

/** Returns the prompt of an attachment. A prompt typed while Claude worked may be recorded only there. */
function attachmentMessage(entry: Entry): Said {
  const attachment = asObject(entry.raw.attachment);
  if (attachment?.type !== "queued_command") return skipped("attachment");
  const mode = asString(attachment.commandMode);
  if (mode !== null && mode !== "prompt") return skipped("notification");
  // A queued prompt names its own sender.
  const queued = { ...entry, raw: { ...entry.raw, ...attachment } };
  const { texts } = contentOf({ ...entry, message: { content: attachment.prompt } });
  return texts.length === 0 ? skipped("no_text") : classifyTexts(queued, texts, true);
}

function systemMessage({ raw }: Entry): Message {
  if (raw.subtype === "compact_boundary") return compactionOf(raw.compactMetadata);
  if (raw.subtype !== "away_summary") return skipped("system");
  return { kind: "recap", text: asString(raw.content)?.replace(RECAP_HINT, "") ?? "" };
}

function compactionOf(metadata: unknown): CompactionMark {
  const known = asObject(metadata);
  return { kind: "compaction", trigger: asString(known?.trigger), preTokens: asNumber(known?.preTokens) };
}
