import { READ } from "../../constants.ts";
import { LineReader } from "../../transcript/lines.ts";
import { emptyState, type LineCounts, parseState, type ReaderState } from "../../transcript/state.ts";
import type { Mark } from "../../transcript/thread.ts";
import type { ReadCursor, ReadOptions, TranscriptStep } from "../../transcript/transcript.ts";
import { entryOf } from "./entry.ts";
import { EntryReader } from "./entry-reader.ts";
import { isPassedOver, lineHead } from "./entry-type.ts";
import { lineObjects, objectsOf } from "./objects.ts";
import { scanToolResults } from "./tool-result-scan.ts";

/** Kinds that mean trouble: they are reported one by one, the others are only counted. */
const TROUBLE = new Set([
  "malformed",
  "non_object",
  "no_type",
  "no_message",
  "too_long",
  "nul",
  "half_written",
]);
/** Different kinds that are counted under their own names; the types of a hostile file could be endless. */
const MAX_KINDS = 100;

/**
 * Reads a transcript, or what was added to it since `options.from`, into turns and facts: streaming, in steps that can
 * each be stored with their cursor. Rejects with `MementorError` when the file cannot be read; nothing that is in it
 * makes it reject. Lines of which nothing is kept are not parsed.
 */
export async function* readTranscript(path: string, options: ReadOptions): AsyncIterable<TranscriptStep> {
  const lines = new LineReader(path, options.from?.resumeOffset ?? 0);
  try {
    const reader = new TranscriptReader(path, lines, options);
    const stepBytes = options.stepBytes ?? READ.stepBytes;
    let stepStart = lines.nextOffset;
    do {
      while (lines.next()) {
        reader.line();
        if (lines.nextOffset - stepStart < stepBytes || !reader.atTurnBoundary) continue;
        stepStart = lines.nextOffset;
        yield reader.step(false);
      }
    } while (lines.fill());
    if (lines.rest()) reader.unterminatedLine();
    yield reader.step(true);
  } finally {
    lines.close();
  }
}

class TranscriptReader {
  readonly #lines: LineReader;
  readonly #entries: EntryReader;
  readonly #onSkip: ReadOptions["onSkip"];
  #counts: LineCounts;
  #lineIndex: number;
  #end: number;
  /** Just before a last line that was taken without its newline: it may yet go on, so it is read again. */
  #unterminated: Mark | null = null;

  constructor(path: string, lines: LineReader, options: ReadOptions) {
    const state = options.from ? parseState(options.from.readerState) : emptyState();
    this.#lines = lines;
    this.#entries = new EntryReader(path, state, options);
    this.#onSkip = options.onSkip;
    this.#counts = state.counts;
    this.#lineIndex = options.from?.resumeLine ?? 0;
    this.#end = options.from?.resumeOffset ?? 0;
  }

  get atTurnBoundary(): boolean {
    return this.#entries.turns.hasClosed();
  }

  line(): void {
    if (this.#lines.tooLong) this.#onSkip?.({ kind: "too_long", lineIndex: this.#lineIndex });
    this.#count(this.#lines.tooLong ? "too_long" : this.#read());
    this.#end = this.#lines.nextOffset;
  }

  /** Takes a last line without newline when it is complete; it may be half-written, and is left for later then. */
  unterminatedLine(): void {
    const { start, end, tooLong } = this.#lines;
    const isWhole = !tooLong && lineObjects(this.#lines.text().replace(/^\0+/, "")).startsWhole;
    if (!isWhole) {
      if (end > start || tooLong) this.#onSkip?.({ kind: "half_written", lineIndex: this.#lineIndex });
      return;
    }
    this.#unterminated = this.#mark();
    this.line();
  }

  #count(skipped: string | null): void {
    this.#lineIndex++;
    this.#counts.total++;
    if (skipped === null) {
      this.#counts.indexed++;
      return;
    }
    const { skipped: kinds } = this.#counts;
    const before = kinds[skipped];
    const isOneMore = before === undefined && Object.keys(kinds).length >= MAX_KINDS;
    if (isOneMore) kinds.other = (kinds.other ?? 0) + 1;
    else kinds[skipped] = (before ?? 0) + 1;
  }

  /** Reads the current line; null when something of it is kept, otherwise the kind under which it is counted. */
  #read(): string | null {
    const lines = this.#lines;
    const { start } = lines;
    while (lines.start < lines.end && lines.bytes[lines.start] === 0) lines.start++;
    const hasNuls = lines.start > start;
    if (hasNuls) this.#onSkip?.({ kind: "nul", lineIndex: this.#lineIndex });
    if (isBlank(lines)) return hasNuls ? "nul" : "blank";
    return this.#passOver() ?? this.#parse();
  }

  /** The kind of a line that can be passed over without parsing it; null when it must be parsed. */
  #passOver(): string | null {
    const head = lineHead(this.#lines);
    if (head === null || this.#lines.hasGlue()) return null;
    if (isPassedOver(head.type)) return head.type;
    if (head.blocksAt === null) return null;
    const scan = scanToolResults(this.#lines.bytes, head.blocksAt, this.#lines.end);
    return scan && !this.#entries.turns.isCommitting(scan.toolUseIds) ? "tool_result" : null;
  }

  #parse(): string | null {
    const lineIndex = this.#lineIndex;
    // As of the line's start, also for its second object: a later read starts with the first.
    const { lastSession } = this.#entries;
    const { recent } = this.#entries.turns;
    const { count: prompts } = this.#entries.turns.prompts;
    const sidechain = this.#entries.sidechains.latest;
    const mark = () => ({ ...this.#mark(), lastSession, recent, prompts, sidechain });
    const { objects, trouble } = objectsOf(this.#lines);
    if (trouble !== null) this.#onSkip?.({ kind: trouble, lineIndex });
    let skipped: string | null = trouble ?? "malformed";
    let index = 0;
    for (const object of objects) {
      const entry = entryOf(object);
      const position = lineIndex + index++ / (4 * READ.maxObjectsPerLine);
      const kind = entry ? this.#entries.read(entry, { lineIndex, position, mark }) : "no_type";
      if (kind !== null && TROUBLE.has(kind)) this.#onSkip?.({ kind, lineIndex });
      if (skipped !== null) skipped = kind === null ? null : kindName(kind);
    }
    return skipped;
  }

  #mark(): Mark {
    return {
      offset: this.#lines.offset,
      line: this.#lineIndex,
      counts: { ...this.#counts, skipped: { ...this.#counts.skipped } },
      lastSession: this.#entries.lastSession,
      recent: this.#entries.turns.recent,
      prompts: this.#entries.turns.prompts.count,
      sidechain: this.#entries.sidechains.latest,
    };
  }

  step(isLast: boolean): TranscriptStep {
    const { turns, facts } = this.#entries;
    const closed = turns.take();
    const { prLinks, compactions, subagents } = this.#entries;
    this.#entries.prLinks = [];
    this.#entries.compactions = [];
    this.#entries.subagents = new Map();
    const cursor = this.#cursor();
    turns.prune();
    return {
      turns: isLast ? [...closed, ...turns.provisional()] : closed,
      sessions: facts.take(),
      subagents: [...subagents.values()],
      prLinks,
      compactions,
      lines: { ...this.#counts, skipped: { ...this.#counts.skipped } },
      cursor,
    };
  }

  #cursor(): ReadCursor {
    const { turns, facts } = this.#entries;
    const open = turns.earliest();
    const mark = open ?? this.#unterminated ?? { ...this.#mark(), offset: this.#end };
    const { counts, lastSession, recent, sidechain } = mark;
    const closed = turns.closedOver(mark.line);
    const prompts = turns.prompts.text(mark.prompts);
    const state: ReaderState = {
      counts,
      lastSession,
      sidechain,
      recent,
      prompts,
      sessions: facts.all(),
      closed,
    };
    return {
      byteOffset: this.#end,
      lineIndex: this.#lineIndex,
      resumeOffset: mark.offset,
      resumeLine: mark.line,
      readerState: JSON.stringify(state),
    };
  }
}

function isBlank({ bytes, start, end }: LineReader): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    if (byte !== 32 && byte !== 13 && byte !== 9) return false;
  }
  return true;
}

/** A type as it may be counted and shown. */
function kindName(type: string): string {
  return /^[\w.-]{1,40}$/.test(type) ? type : "unknown";
}
