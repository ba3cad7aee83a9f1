import type { JsonObject } from "../../io/json.ts";
import type { Recorder, Skipped } from "./recorder.ts";
import { countSkipped, parseState, type ReaderState, stateText } from "./state.ts";
import type { Mark, Place } from "./thread.ts";
import type { ReadOptions, TranscriptStep } from "./transcript.ts";

/** Interprets the records of a source that is read whole. */
export interface RecordAdapter {
  readonly recorder: Recorder;
  /** Records one object. Returns null when some of it is stored, else the reason why not. */
  read(object: JsonObject, place: Place): Skipped;
}

/**
 * Makes turns and facts from all records of a source in one step. The index of a record counts as its line. Ignores
 * `options.from`: such a source is always read whole.
 */
export function readRecords(
  records: Iterable<JsonObject>,
  options: ReadOptions,
  adapterOf: (state: ReaderState) => RecordAdapter,
): TranscriptStep {
  const state = { ...parseState(null), sessions: [] };
  const adapter = adapterOf(state);
  const { recorder } = adapter;
  const { counts } = state;
  let line = 0;
  const mark = (): Mark => ({ ...START, line });
  for (const record of records) {
    const skipped = adapter.read(record, { line, object: 0, mark });
    counts.total++;
    line++;
    if (skipped === null) {
      counts.indexed++;
      continue;
    }
    const kind = /^[\w.-]{1,40}$/.test(skipped) ? skipped : "unknown";
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

/** A source that is read whole is never continued. Its marks only order the open turns. */
const START: Mark = {
  offset: 0,
  line: 0,
  counts: { total: 0, indexed: 0, skipped: {} },
  lastSession: null,
  recent: [],
  prompts: 0,
  agentState: null,
};
