import type { SourceState } from "../store/stored.ts";
import { READER_VERSION } from "./transcript/state.ts";

/**
 * Returns the source of turns that no file holds, such as notes and imports. There is nothing to read again or to
 * resume.
 */
export function sourceWithoutFile(path: string): SourceState {
  return {
    path,
    sessionId: null,
    agentId: null,
    byteOffset: 0,
    lineIndex: 0,
    resumeOffset: 0,
    resumeLine: 0,
    fingerprint: "",
    size: -1,
    mtimeMs: -1,
    skipped: {},
    sessions: [],
    leftOut: [],
    readerState: null,
    readerVersion: READER_VERSION,
  };
}
