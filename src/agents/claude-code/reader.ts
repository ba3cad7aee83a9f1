import { type LineAdapter, readJsonLines } from "../../ingest/transcript/json-lines.ts";
import { stringEnd } from "../../ingest/transcript/json-scan.ts";
import type { LineReader } from "../../ingest/transcript/lines.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import { Recorder, type Skipped } from "../../ingest/transcript/recorder.ts";
import type { ReaderState } from "../../ingest/transcript/state.ts";
import type { Place } from "../../ingest/transcript/thread.ts";
import type { ReadOptions, TranscriptStep } from "../../ingest/transcript/transcript.ts";
import type { JsonObject } from "../../io/json.ts";
import type { SourceFile } from "../agent.ts";
import { type Entry, entryOf, RECORD_SHAPE } from "./entry.ts";
import { isPassedOver, lineHead } from "./entry-type.ts";
import { eventOf } from "./events.ts";
import { agentMeta, sourceFile } from "./project-sessions.ts";
import { scanToolResults } from "./tool-result-scan.ts";

/**
 * Reads a transcript of Claude Code, or what was added to it since `options.from`; see `readJsonLines`. Lines of which
 * nothing is kept are not parsed.
 */
export function readTranscript(path: string, options: ReadOptions): AsyncIterable<TranscriptStep> {
  return readJsonLines(path, options, (state) => new ClaudeCodeLines(path, state, options));
}

class ClaudeCodeLines implements LineAdapter {
  readonly shape: RecordShape = RECORD_SHAPE;
  readonly recorder: Recorder;
  readonly #file: SourceFile;
  readonly #sidechains: Sidechains;

  constructor(path: string, state: ReaderState, { redact, rootsOf }: ReadOptions) {
    this.#file = sourceFile(path);
    this.#sidechains = new Sidechains(state.agentState);
    const { agentId, sessionId } = this.#file;
    const subagent = agentId === null ? null : { id: agentId, ...agentMeta(path) };
    const onMainPrompt = () => this.#sidechains.forget();
    this.recorder = new Recorder(state, { redact, rootsOf, source: { sessionId, subagent }, onMainPrompt });
  }

  get state(): string | null {
    return this.#sidechains.latest;
  }

  passOver(lines: LineReader): Skipped {
    const head = lineHead(lines);
    if (head === null || lines.hasGlue()) return null;
    if (isPassedOver(head.type)) return head.type;
    if (head.blocksAt === null) return null;
    const scan = scanToolResults(lines.bytes, head.blocksAt, lines.end);
    return scan && this.recorder.turns.succeeded(scan.toolUseIds) ? "tool_result" : null;
  }

  shortText(lines: LineReader): string | null {
    return textWithoutImages(lines);
  }

  read(object: JsonObject, place: Place): Skipped {
    const entry = entryOf(object);
    if (entry === null) return "no_type";
    // Titles at the start of a file are those of other sessions; the list of sessions shows them.
    if (entry.type === "summary" && this.recorder.lastSession === null) return "summary_elsewhere";
    const event = eventOf(entry);
    if (event.kind === "conversation") event.agentId = this.#agentOf(entry, place);
    return this.recorder.record(event, place);
  }

  #agentOf(entry: Entry, { line }: Place): string | null {
    if (this.#file.agentId !== null) return entry.agentId ?? this.#file.agentId;
    if (!entry.isSidechain) return null;
    return entry.agentId ?? this.#sidechains.idOf(entry, line);
  }
}

/** Number of entries whose chain is remembered. The entries of a chain are close together. */
const MAX_REMEMBERED = 20_000;

/**
 * Gives inline sidechains a stable agent id, the id of their first entry. Old versions of Claude Code wrote them into the
 * main transcript without an agent id.
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

/** An image in a message, up to its data. Its unescaped quotes cannot occur inside a JSON string. */
const IMAGE = Buffer.from('{"type":"base64","media_type":"image/');
const DATA = Buffer.from('","data":"');
/** The longest name of an image's type is `svg+xml`. */
const MAX_TYPE_CHARS = 20;
/** Shorter lines contain no image that is worth removing. */
const MIN_LINE_BYTES = 1 << 14;

/**
 * Returns a line's text without the data of its images. Nothing reads that data, and it would be most of what is
 * parsed. Null when there is none.
 */
export function textWithoutImages({ bytes, start, end }: LineReader): string | null {
  if (end - start < MIN_LINE_BYTES) return null;
  const line = bytes.subarray(start, end);
  let text = "";
  let from = 0;
  for (let image = line.indexOf(IMAGE); image >= 0; image = line.indexOf(IMAGE, from)) {
    const data = line.indexOf(DATA, image + IMAGE.length) + DATA.length;
    if (data < DATA.length || data > image + IMAGE.length + MAX_TYPE_CHARS + DATA.length) break;
    const dataEnd = stringEnd(line, data - 1, line.length);
    if (dataEnd < 0) break;
    text += line.toString("utf8", from, data);
    from = dataEnd - 1;
  }
  return from === 0 ? null : text + line.toString("utf8", from);
}
