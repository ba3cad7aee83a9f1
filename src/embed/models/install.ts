import { randomUUID } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MementorError } from "../../errors.ts";
import { ioError } from "../../io/errors.ts";
import { statIfExists } from "../../io/read.ts";
import { SYSTEM } from "../../io/system.ts";
import { ensurePrivateDir, writeAtomic } from "../../io/write.ts";
import type { Embedder } from "../embedder.ts";
import { type EmbedderFiles, type EmbedderRequest, openEmbedder } from "../open.ts";
import { MODEL_LIMITS, unusableModel, WEIGHTS } from "./choose.ts";
import {
  type InstalledModel,
  installedModel,
  installedModels,
  MANIFEST,
  type Manifest,
  type ModelOrigin,
} from "./manifest.ts";
import { tokenizerKind } from "./open.ts";
import { readSettings, type SettingsOverride } from "./settings.ts";

interface InstallRequest {
  /** Directory of the user's models; created if missing. */
  library: string;
  name: string;
  /** The one model that it may be. */
  onlyId?: string | undefined;
  override: SettingsOverride;
  /** Copies the model's files into this directory and resolves to their origin. */
  retrieve: (staging: string) => Promise<ModelOrigin>;
  /** Runs the model and resolves to the length of its vectors. Rejects with `model_invalid` when it does not work. */
  probe: (model: InstalledModel) => Promise<number>;
  now: string;
}

const STAGING = ".new-";
/** Age from which a staging directory counts as left over from a crash. */
const ABANDONED_MS = 86_400_000;

/**
 * Adds a model to the library after checking that it works, with its settings and the hashes of its files. Adds everything or
 * nothing. Returns an already installed model unchanged.
 *
 * @throws `model_invalid` for a model that cannot be used.
 */
export async function installModel(request: InstallRequest): Promise<InstalledModel> {
  const { library, name, override } = request;
  ensurePrivateDir(library);
  removeAbandoned(library, Date.parse(request.now));
  const staging = join(library, `${STAGING}${randomUUID()}`);
  ensurePrivateDir(staging);
  try {
    const source = await request.retrieve(staging);
    const where = source.kind === "hub" ? source.repository : source.path;
    const settings = readSettings(staging, where, override);
    const files = await hashedFiles(staging);
    const { pooling, queryPrefix, documentPrefix, maxTokens } = settings;
    const use = { pooling, queryPrefix, documentPrefix, maxTokens };
    const id = idOf(name, files, use);
    if (request.onlyId !== undefined && id !== request.onlyId)
      throw new MementorError("model_invalid", `${where} is not the model ${request.onlyId}`, {
        hint: 'If you know where it is from, import it by its path: "mementor model import <path>".',
      });
    const known = installedModels(library).find((model) => model.id === id);
    if (known) return installedModel(library, id);
    const weights = WEIGHTS.find((wanted) => files.some(({ path }) => path === wanted));
    if (weights === undefined) throw unusableModel(where, "it has no weights");
    const manifest: Manifest = {
      version: 1,
      id,
      name,
      source,
      ...use,
      tokenizer: await tokenizerKind(staging),
      weights,
      files,
      dimensions: settings.dimensions ?? 1,
      importedAt: request.now,
    };
    const dimensions = await request.probe({ ...manifest, directory: staging });
    if (settings.dimensions !== null && settings.dimensions !== dimensions)
      throw unusableModel(
        where,
        `its vectors have ${dimensions} dimensions, but its files say ${settings.dimensions}`,
      );
    writeAtomic(join(staging, MANIFEST), `${JSON.stringify({ ...manifest, dimensions }, null, 2)}\n`, {
      mode: 0o600,
    });
    moveInto(staging, join(library, id));
    return installedModel(library, id);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Renames the staging directory. When another process has installed the same model meanwhile, its copy stays. */
function moveInto(staging: string, directory: string): void {
  try {
    SYSTEM.rename(staging, directory);
  } catch (error) {
    if (!statIfExists(join(directory, MANIFEST))) throw ioError(error, `create ${directory}`);
  }
}

/**
 * Removes a model's files.
 *
 * @throws `io` when its files cannot be removed.
 */
export function uninstallModel({ directory }: InstalledModel): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch (error) {
    throw ioError(error, `remove ${directory}`);
  }
}

/** Compares every file with its recorded hash; returns the paths of those that differ. */
export async function changedFiles({ directory, files }: InstalledModel): Promise<string[]> {
  const changed: string[] = [];
  for (const { path, sha256 } of files) {
    const found = await sha256OfFile(join(directory, path)).catch(() => null);
    if (found !== sha256) changed.push(join(directory, path));
  }
  return changed;
}

async function hashedFiles(directory: string): Promise<Manifest["files"]> {
  const paths = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Promise.all(
    paths.map(async (path) => ({
      path: path.slice(directory.length + 1).replaceAll("\\", "/"),
      size: Bun.file(path).size,
      sha256: await sha256OfFile(path),
    })),
  );
}

async function sha256OfFile(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const part of Bun.file(path).stream()) hash.update(part);
  return hash.digest("hex");
}

/** Returns the id of a model. Different weights, tokenizers or settings give different vectors, and so different ids. */
function idOf(name: string, files: Manifest["files"], use: object): string {
  const hashes = files.map(({ path, sha256 }) => [path, sha256]);
  const print = new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([hashes, use]))
    .digest("hex")
    .slice(0, 8);
  const plain = name.replace(/[^\w.-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  return `${plain.slice(0, 80) || "model"}-${print}`;
}

function removeAbandoned(library: string, now: number): void {
  for (const name of readdirSync(library)) {
    const path = join(library, name);
    if (name.startsWith(STAGING) && now - (statIfExists(path)?.mtimeMs ?? now) > ABANDONED_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

/** Texts that every model must be able to embed: a short one, one that is too long, and an empty one. */
const TEXTS = ["How do I fix the CI?", "word ".repeat(MODEL_LIMITS.tokens), ""];

/**
 * Runs a model as it will run later and resolves to the length of its vectors. Removes the files that the run generates. Rejects
 * with `model_invalid` when the model does not work.
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
    throw unusableModel(model.name, error instanceof Error ? error.message : String(error), error);
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
