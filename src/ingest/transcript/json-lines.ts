import { READ } from "../../constants.ts";
import type { ReadCursor } from "../../domain.ts";
import type { JsonObject } from "../../io/json.ts";
import type { TranscriptEvent } from "./events.ts";
import { LineReader } from "./lines.ts";
import { lineObjects, type RecordShape } from "./objects.ts";
import { type Interpreter, Recorder, type Skipped } from "./recorder.ts";
import { countSkipped, type LineCounts, parseState, type ReaderState, stateText } from "./state.ts";
import type { Place, ReaderMark } from "./thread.ts";
import type { ReadOptions, TranscriptStep } from "./transcript.ts";

/** The events of a record, or the reason why it is skipped. */
export type LineResult = readonly TranscriptEvent[] | string;

/** Interprets the records of a source. */
export interface RecordAdapter extends Interpreter {
  read(object: JsonObject, place: Place, recorder: Recorder): LineResult;
}

/** Interprets the records of a file of JSON lines. */
export interface LineAdapter extends RecordAdapter {
  readonly shape: RecordShape;
  /** State to continue with at this line; null when there is none. */
  readonly state: string | null;
  /** Returns the kind of a line that is skipped without parsing. Null for a line to parse; absent to parse all lines. */
  passOver?(lines: LineReader): Skipped;
}

/** Kinds that indicate a problem. Each occurrence is reported; other kinds are only counted. */
const TROUBLE = new Set([
  "malformed",
  "non_object",
  "no_type",
  "no_message",
  "too_long",
  "nul",
  "half_written",
]);

/**
 * Reads turns and facts from JSON lines, in the file at a path or in memory, starting at `options.from`. Streams steps that can
 * each be stored with their cursor. Rejects with a `MementorError` when the file cannot be read, but never because of its
 * content. `adapterOf` gets the state to continue with.
 */
export async function* readJsonLines(
  file: string | Buffer,
  options: ReadOptions,
  adapterOf: (state: ReaderState) => LineAdapter,
): AsyncIterable<TranscriptStep> {
  const lines = new LineReader(file, options.from?.resumeOffset ?? 0, options);
  try {
    const { readerState = null, sessions = [] } = options.from ?? {};
    const state = { ...parseState(readerState), sessions };
    const reader = new JsonLinesReader(lines, adapterOf(state), state, options);
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

class JsonLinesReader {
  readonly #lines: LineReader;
  readonly #adapter: LineAdapter;
  readonly #recorder: Recorder;
  readonly #onSkip: ReadOptions["onSkip"];
  #counts: LineCounts;
  #lineIndex: number;
  #end: number;
  /** Position before a last line without a newline. The line may be incomplete, so it is read again. */
  #unterminated: ReaderMark | null = null;

  constructor(lines: LineReader, adapter: LineAdapter, state: ReaderState, options: ReadOptions) {
    this.#lines = lines;
    this.#adapter = adapter;
    this.#recorder = new Recorder(state, adapter, options);
    this.#onSkip = options.onSkip;
    this.#counts = state.counts;
    this.#lineIndex = options.from?.resumeLine ?? 0;
    this.#end = options.from?.resumeOffset ?? 0;
  }

  get atTurnBoundary(): boolean {
    return this.#recorder.turns.hasClosed();
  }

  line(): void {
    if (this.#lines.tooLong) this.#onSkip?.({ kind: "too_long", lineIndex: this.#lineIndex });
    this.#count(this.#lines.tooLong ? "too_long" : this.#read());
    this.#end = this.#lines.nextOffset;
  }

  /** Reads a last line without a newline if it is complete. A half-written line is left for the next read. */
  unterminatedLine(): void {
    const { start, end, tooLong } = this.#lines;
    const isWhole =
      !tooLong && lineObjects(this.#lines.text().replace(/^\0+/, ""), this.#adapter.shape).startsWhole;
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
    countSkipped(this.#counts.skipped, skipped);
  }

  /** Reads the current line. Returns null when some of it is stored, else the kind under which it is counted. */
  #read(): string | null {
    const lines = this.#lines;
    const { start } = lines;
    while (lines.start < lines.end && lines.bytes[lines.start] === 0) lines.start++;
    const hasNuls = lines.start > start;
    if (hasNuls) this.#onSkip?.({ kind: "nul", lineIndex: this.#lineIndex });
    if (isBlank(lines)) return hasNuls ? "nul" : "blank";
    return this.#adapter.passOver?.(lines) ?? this.#parse();
  }

  #parse(): string | null {
    const lineIndex = this.#lineIndex;
    // The state at the start of the line also applies to its second object, because a later read starts with the first.
    const { lastSession, recent, prompts, agentState } = this.#known();
    const mark = () => ({ ...this.#mark(), lastSession, recent, prompts, agentState });
    const { objects, trouble } = lineObjects(this.#lines.text(), this.#adapter.shape);
    if (trouble !== null) this.#onSkip?.({ kind: trouble, lineIndex });
    let skipped: string | null = trouble ?? "malformed";
    for (const [index, object] of objects.entries()) {
      const place = { line: lineIndex, object: index, mark };
      const kind = recorded(this.#adapter.read(object, place, this.#recorder), this.#recorder, place);
      if (kind !== null && TROUBLE.has(kind)) this.#onSkip?.({ kind, lineIndex });
      if (skipped !== null) skipped = kind === null ? null : kindName(kind);
    }
    return skipped;
  }

  #mark(): ReaderMark {
    const counts = { ...this.#counts, skipped: { ...this.#counts.skipped } };
    return { offset: this.#lines.offset, line: this.#lineIndex, counts, ...this.#known() };
  }

  #known(): Pick<ReaderMark, "lastSession" | "recent" | "prompts" | "agentState"> {
    const { lastSession, turns } = this.#recorder;
    return {
      lastSession,
      recent: turns.recent,
      prompts: turns.prompts.count,
      agentState: this.#adapter.state,
    };
  }

  step(isLast: boolean): TranscriptStep {
    const { turns } = this.#recorder;
    const closed = turns.take();
    const facts = this.#recorder.takeFacts();
    const cursor = this.#cursor();
    turns.prune();
    return {
      turns: isLast ? [...closed, ...turns.provisional()] : closed,
      ...facts,
      lines: { ...this.#counts, skipped: { ...this.#counts.skipped } },
      cursor,
    };
  }

  #cursor(): ReadCursor {
    const { turns, facts } = this.#recorder;
    const open = turns.earliest();
    const mark = open ?? this.#unterminated ?? { ...this.#mark(), offset: this.#end };
    const { counts, lastSession, recent, agentState } = mark;
    const closed = turns.closedOver(mark.line);
    const prompts = turns.prompts.text(mark.prompts);
    return {
      byteOffset: this.#end,
      lineIndex: this.#lineIndex,
      resumeOffset: mark.offset,
      resumeLine: mark.line,
      sessions: facts.all(),
      readerState: stateText({ counts, lastSession, agentState, recent, prompts, closed }),
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

/** Makes a type safe to count and show. */
function kindName(type: string): string {
  return /^[\w.-]{1,40}$/.test(type) ? type : "unknown";
}

/** Records the result of reading a record. Returns null when some of it is stored, else the reason why not. */
function recorded(read: LineResult, recorder: Recorder, place: Place): Skipped {
  if (typeof read === "string") return read;
  const reasons = read.map((event) => recorder.record(event, place));
  return reasons.includes(null) ? null : (reasons[0] ?? "empty");
}

/**
 * Builds turns and facts from all records of a source in one step. The index of a record counts as its line. Ignores
 * `options.from`, because such a source is always read whole.
 */
export function readRecords(
  records: Iterable<JsonObject>,
  options: ReadOptions,
  adapter: RecordAdapter,
): TranscriptStep {
  const state = { ...parseState(null), sessions: [] };
  const recorder = new Recorder(state, adapter, options);
  const { counts } = state;
  let line = 0;
  const mark = (): ReaderMark => ({ ...START, line });
  for (const record of records) {
    const place = { line, object: 0, mark };
    const skipped = recorded(adapter.read(record, place, recorder), recorder, place);
    counts.total++;
    line++;
    if (skipped === null) {
      counts.indexed++;
      continue;
    }
    const kind = kindName(skipped);
    countSkipped(counts.skipped, kind);
    if (kind === "malformed") options.onSkip?.({ kind, lineIndex: line - 1 });
  }
  const turns = [...recorder.turns.take(), ...recorder.turns.provisional()];
  return {
    turns,
    ...recorder.takeFacts(),
    lines: counts,
    cursor: {
      byteOffset: 0,
      lineIndex: line,
      resumeOffset: 0,
      resumeLine: 0,
      sessions: recorder.facts.all(),
      readerState: stateText({
        counts,
        lastSession: null,
        agentState: null,
        recent: [],
        prompts: "",
        closed: {},
      }),
    },
  };
}

/** The start of a source that is read whole and never continued. Its marks only order the open turns. */
const START: ReaderMark = {
  offset: 0,
  line: 0,
  counts: { total: 0, indexed: 0, skipped: {} },
  lastSession: null,
  recent: [],
  prompts: 0,
  agentState: null,
};
