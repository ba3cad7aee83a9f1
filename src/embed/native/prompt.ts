import type { Embedder } from "../embedder.ts";
import { embedInParallel } from "../many.ts";
import type { NativeParts } from "./parts.ts";
import { openPool } from "./pool.ts";

/**
 * Opens an embedder for a single prompt. The model loads in a thread of its own, so that the caller can search by words
 * in the meantime. `embed` rejects with `embedder_unavailable` when the library or the model cannot be loaded.
 */
export async function openPromptEmbedder({ model, source, tokenizer }: NativeParts): Promise<Embedder> {
  // The thread starts first, and what it needs is looked for while it starts.
  const found = Promise.resolve().then(source);
  const thread = openPool(found, { prepack: false, threads: 1 }, 1);
  try {
    const [ids] = await Promise.all([tokenizer(), found]);
    const embed = (text: string) => thread.run(ids.encode(text, model.maxTokens));
    return {
      model,
      runtime: "native",
      tokenizer: ids,
      embed,
      embedMany: (texts) => embedInParallel(texts, 1, embed),
      ready: () => thread.ready(),
      close: () => thread.close(),
    };
  } catch (error) {
    await thread.close();
    throw error;
  }
}
