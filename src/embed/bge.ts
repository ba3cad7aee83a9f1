import { BUILT_IN_MODEL } from "../constants.ts";
import type { ModelInfo } from "./embedder.ts";

/** The built-in model: bge-small-en-v1.5 with int8 weights; see `src/assets/model/`. */
export const BGE_SMALL: ModelInfo = { ...BUILT_IN_MODEL, maxTokens: 512 };

/** Its attention heads. */
export const BGE_HEADS = 12;
