import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { MementorError } from "../../errors.ts";
import { readIfExists, statIfExists } from "../../io/read.ts";
import { POOLINGS } from "../embedder.ts";
import { MODEL_LIMITS, WEIGHTS } from "./choose.ts";

/** Name of the file that records what was imported, beside the model's files. */
export const MANIFEST = "model.json";

const Count = v.pipe(v.number(), v.integer(), v.minValue(1));
const Hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
/** An id is also a directory name and part of a file name. */
const Id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9][\w.-]*$/), v.maxLength(100));

const ManifestSchema = v.object({
  version: v.literal(1),
  /** `name` and the start of a hash over everything that affects the vectors. */
  id: Id,
  name: v.string(),
  /** The model's origin: a directory, or a revision of a repository on the hub. */
  source: v.variant("kind", [
    v.object({ kind: v.literal("directory"), path: v.string() }),
    v.object({ kind: v.literal("hub"), repository: v.string(), revision: v.string() }),
  ]),
  dimensions: v.pipe(Count, v.maxValue(MODEL_LIMITS.dimensions)),
  maxTokens: v.pipe(Count, v.maxValue(MODEL_LIMITS.tokens)),
  pooling: v.picklist(POOLINGS),
  queryPrefix: v.string(),
  documentPrefix: v.string(),
  /** The tokenizer to use: the fast-loading unigram form, or the library. */
  tokenizer: v.optional(v.picklist(["unigram", "library"]), "library"),
  weights: v.picklist(WEIGHTS),
  files: v.array(v.object({ path: v.string(), size: Count, sha256: Hash })),
  /** ISO 8601. */
  importedAt: v.string(),
});

export type Manifest = v.InferOutput<typeof ManifestSchema>;
export type ModelOrigin = Manifest["source"];

/** One of the user's models with its directory. */
export interface InstalledModel extends Manifest {
  directory: string;
}

/** Lists the models of a library, sorted by id. Skips directories without a valid manifest. Never throws. */
export function installedModels(library: string): InstalledModel[] {
  try {
    return readdirSync(library)
      .sort()
      .flatMap((id) => readModel(library, id) ?? []);
  } catch {
    return [];
  }
}

/** Returns the model with this id. Throws `model_invalid` when it is missing or a file has changed size. */
export function installedModel(library: string, id: string): InstalledModel {
  const model = readModel(library, id);
  if (model === null) {
    throw new MementorError("model_invalid", `the model ${id} is not on this machine`, {
      hint: 'Import it again with "mementor model import <dir>", or run "mementor model use bge-small-en-v1.5-int8" to return to the built-in model.',
    });
  }
  const changed = model.files.find(
    ({ path, size }) => statIfExists(join(model.directory, path))?.size !== size,
  );
  if (changed === undefined) return model;
  throw new MementorError(
    "model_invalid",
    `${join(model.directory, changed.path)} is missing or has changed`,
    {
      hint: `Remove ${model.directory} and import the model again.`,
    },
  );
}

function readModel(library: string, id: string): InstalledModel | null {
  try {
    const directory = join(library, v.parse(Id, id));
    if (lstatSync(directory).isSymbolicLink()) return null;
    const manifest = v.parse(ManifestSchema, JSON.parse(readIfExists(join(directory, MANIFEST)) ?? "null"));
    return manifest.id === id ? { ...manifest, directory } : null;
  } catch {
    return null;
  }
}

/** Name of its npm package, without the scope. */
export const MODEL_PACKAGE = "model-multilingual";
