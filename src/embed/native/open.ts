import type { Embedder, ModelInfo } from "../embedder.ts";
import type { IdTokenizer } from "../tokenizer/tokenizer.ts";
import type { Purpose } from "./embedder.ts";
import type { SessionSource } from "./session.ts";

/** What a native embedder is made of. Each part is loaded when it is asked for. */
export interface NativeParts {
  model: ModelInfo;
  source: () => Promise<SessionSource>;
  tokenizer: () => Promise<IdTokenizer>;
}

/**
 * Opens the embedder that fits the purpose. Rejects with `embedder_unavailable` when the library cannot be loaded. For
 * prompts, the embedder's methods do so later.
 */
export async function openWith(parts: NativeParts, purpose: Purpose): Promise<Embedder> {
  if (purpose === "prompt") return (await import("./prompt.ts")).openPromptEmbedder(parts);
  const { createNativeEmbedder } = await import("./embedder.ts");
  const { loadBinding } = await import("./binding.ts");
  const [source, tokenizer] = await Promise.all([parts.source(), parts.tokenizer()]);
  loadBinding(source.bindingPath);
  return createNativeEmbedder(parts.model, tokenizer, source, purpose);
}
