import { type MementorError, toMementorError } from "../errors.ts";
import type { Embedder } from "./embedder.ts";

/** Learns why there is no embedder, to say it where it belongs: the log, a terminal, an answer. */
export type OnMissing = (reason: MementorError) => void | Promise<void>;

/** Opens an embedder; resolves to null where that fails, once `onMissing` knows why: words alone do then. */
export async function openOrWithout(
  open: () => Promise<Embedder>,
  onMissing: OnMissing,
): Promise<Embedder | null> {
  try {
    return await open();
  } catch (error) {
    await onMissing(toMementorError(error));
    return null;
  }
}

/** An embedder that is opened when it is first needed. */
export interface LazyEmbedder {
  /** Resolves to null where there is no embedder; it is looked for once. */
  embed(text: string): Promise<Float32Array | null>;
  close(): Promise<void>;
}

/** Returns an embedder that is opened at the first text. `onMissing` is called at most once. */
export function lazyEmbedder(open: () => Promise<Embedder>, onMissing: OnMissing): LazyEmbedder {
  let opening: Promise<Embedder | null> | null = null;
  return {
    async embed(text) {
      opening ??= openOrWithout(open, onMissing);
      return (await opening)?.embed(text) ?? null;
    },
    async close() {
      await (await opening)?.close();
    },
  };
}
