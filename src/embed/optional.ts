import { type MementorError, toMementorError } from "../errors.ts";
import type { Embedder } from "./embedder.ts";

/** Receives the reason why there is no embedder, to report it in the log, on the terminal or in an answer. */
export type OnMissing = (reason: MementorError) => void | Promise<void>;

/** Opens an embedder. On failure, calls `onMissing` and resolves to null, so that the caller goes on with keywords alone. */
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

/** An embedder that is opened at first use. */
export interface LazyEmbedder extends AsyncDisposable {
  /** Resolves to null when the embedder cannot be opened or fails. Tries to open it only once. */
  embed(text: string): Promise<Float32Array | null>;
  close(): Promise<void>;
}

/**
 * Returns an embedder that opens for its first text. Calls `onMissing` when it cannot be opened, and for each text that fails.
 */
export function lazyEmbedder(open: () => Promise<Embedder>, onMissing: OnMissing): LazyEmbedder {
  let opening: Promise<Embedder | null> | null = null;
  const close = async () => {
    await (await opening)?.close();
  };
  return {
    async embed(text) {
      opening ??= openOrWithout(open, onMissing);
      const embedder = await opening;
      try {
        return (await embedder?.embed(text)) ?? null;
      } catch (error) {
        await onMissing(toMementorError(error));
        return null;
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
