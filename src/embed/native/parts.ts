import type { ModelInfo } from "../embedder.ts";
import type { IdTokenizer } from "../tokenizer/tokenizer.ts";
import type { SessionSource } from "./session.ts";

/** What a native embedder is made of. Each part is loaded when it is asked for. */
export interface NativeParts {
  model: ModelInfo;
  source: () => Promise<SessionSource>;
  tokenizer: () => Promise<IdTokenizer>;
}
