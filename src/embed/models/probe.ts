import { rmSync } from "node:fs";
import { join } from "node:path";
import { MementorError } from "../../errors.ts";
import type { Embedder } from "../embedder.ts";
import { type EmbedderFiles, type EmbedderRequest, openEmbedder } from "../open.ts";
import { unfit } from "./choose.ts";
import { MODEL_LIMITS } from "./limits.ts";
import type { InstalledModel } from "./manifest.ts";

/** Texts that a model must be able to embed: a short one, one that is too long, and an empty one. */
const TEXTS = ["How do I fix the CI?", "word ".repeat(MODEL_LIMITS.tokens), ""];

/**
 * Runs a model the way it will run later, and resolves to the length of its vectors. Removes the files that this
 * generates. Rejects with `model_invalid` when the model does not work.
 */
export async function probeModel(
  model: InstalledModel,
  { files, runtime, warn }: Pick<EmbedderRequest, "files" | "runtime" | "warn">,
): Promise<number> {
  const made: string[] = [];
  const here: EmbedderFiles = {
    has: (name) => files.has(name),
    path: (name) => files.path(name),
    bytes: (name) => files.bytes(name),
    async derived(name, make) {
      const path = join(model.directory, name);
      made.push(path);
      await make(path);
      return path;
    },
  };
  let embedder: Embedder | null = null;
  try {
    embedder = await openEmbedder({ files: here, model, runtime, purpose: "ingest", warn });
    const lengths = new Set<number>();
    for (const text of TEXTS) lengths.add(checked(await embedder.embed(text), text));
    const [dimensions = 0, ...others] = lengths;
    if (others.length > 0) throw new TypeError("its vectors have different lengths");
    return dimensions;
  } catch (error) {
    if (error instanceof MementorError) throw error;
    throw unfit(model.name, error instanceof Error ? error.message : String(error), error);
  } finally {
    await embedder?.close();
    for (const path of made) rmSync(path, { force: true });
  }
}

function checked(vector: Float32Array, text: string): number {
  if (!vector.every(Number.isFinite))
    throw new TypeError("its vectors contain values that are not finite numbers");
  if (text !== "" && vector.every((value) => value === 0)) throw new TypeError("its vectors are all zero");
  if (vector.length > MODEL_LIMITS.dimensions)
    throw new TypeError(
      `its vectors have ${vector.length} dimensions; the maximum is ${MODEL_LIMITS.dimensions}`,
    );
  return vector.length;
}
