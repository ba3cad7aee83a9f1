import type { Embedder } from "../embedder.ts";
import type { Purpose } from "./embedder.ts";
import type { NativeParts } from "./parts.ts";

/** Opens the embedder that fits the purpose. Rejects with `embedder_unavailable` when the library cannot be loaded. */
export async function openWith(parts: NativeParts, purpose: Purpose): Promise<Embedder> {
  const { createNativeEmbedder } = await import("./embedder.ts");
  const { loadBinding } = await import("./binding.ts");
  const [source, tokenizer] = await Promise.all([parts.source(), parts.tokenizer()]);
  loadBinding(source.bindingPath);
  return createNativeEmbedder(parts.model, tokenizer, source, purpose);
}
