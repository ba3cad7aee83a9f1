import type { Tokenizer } from "../embed/embedder.ts";
import type { IngestStore } from "../store/contract/store.ts";
import type { Blocks } from "../transcript/blocks.ts";
import type { RootsOf } from "../transcript/transcript.ts";
import type { ExcludeTest } from "./exclude.ts";

/** The dependencies of the ingest of a transcript. */
export interface TranscriptDeps {
  store: IngestStore;
  /** Opened at the first turn that has to be cut into chunks. */
  tokenizer: () => Promise<Tokenizer>;
  rootsOf: RootsOf;
  redact: (text: string) => string;
  /** For the readers of all files. */
  blocks: Blocks;
  isPathExcluded: ExcludeTest;
  isProjectExcluded: ExcludeTest;
  /** Called for every piece that could not be read; never with content. */
  onSkip?: ((skip: { kind: string; path: string; lineIndex: number }) => void) | undefined;
  /** Called after each step with the bytes read, and the turns stored, since the last call. */
  onBytes?: ((bytes: number, turns: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}
