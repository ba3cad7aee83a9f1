import type { ModelInfo } from "./embedder.ts";

/** The model that the binary carries: bge-small-en-v1.5 with int8 weights; see `src/assets/model/`. */
export const BGE_SMALL: ModelInfo = { id: "bge-small-en-v1.5-int8", dimensions: 384, maxTokens: 512 };
