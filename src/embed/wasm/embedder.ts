import { MementorError } from "../../errors.ts";
import type { Embedder, ModelInfo } from "../embedder.ts";
import type { EmbedderFiles } from "../open.ts";
import type { WordPieceTokenizer } from "../tokenizer/wordpiece.ts";
export async function createWasmEmbedder(
  _m: ModelInfo,
  _t: WordPieceTokenizer,
  _f: EmbedderFiles,
): Promise<Embedder> {
  throw new MementorError("embedder_unavailable", "not yet");
}
