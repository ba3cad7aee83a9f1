import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { ioError } from "../../io/errors.ts";
import { ensurePrivateDir } from "../../io/write.ts";
import { chooseFiles, MODEL_LIMITS, unusableModel } from "./choose.ts";

/** A model packed as `.tar.gz`. */
export interface ModelArchive {
  /** The one directory that contains all files of the model. */
  name: string;
  /** Extracts the model's files, and nothing else, to a directory. */
  write: (directory: string) => Promise<void>;
}

export function isArchive(path: string): boolean {
  return /\.(?:tar\.gz|tgz)$/.test(path);
}

/**
 * Reads an archive that has the files of a model in one directory.
 *
 * @throws `model_invalid` when it has another layout, `io` when it cannot be read.
 */
export async function openModelArchive(path: string): Promise<ModelArchive> {
  const found = await filesIn(path);
  const [folder = "", ...others] = new Set([...found.keys()].map((name) => name.split("/")[0] ?? ""));
  if (folder === "" || others.length > 0) throw unusableModel(path, "its files are not in one directory");
  const offered = [...found].map(([name, file]) => ({
    path: name.slice(folder.length + 1),
    size: file.size,
    file,
  }));
  return {
    name: folder,
    async write(directory) {
      for (const { path: name, file } of chooseFiles(offered, path)) {
        const target = join(directory, name);
        try {
          ensurePrivateDir(dirname(target));
          writeFileSync(target, await file.bytes(), { mode: 0o600, flag: "wx" });
        } catch (error) {
          throw ioError(error, `write ${target}`);
        }
      }
    },
  };
}

async function filesIn(path: string): Promise<Map<string, File>> {
  let packed: Uint8Array;
  try {
    packed = readFileSync(path);
  } catch (error) {
    throw ioError(error, `read ${path}`);
  }
  try {
    return await new Bun.Archive(gunzipSync(packed, { maxOutputLength: MODEL_LIMITS.weightsBytes })).files();
  } catch (error) {
    throw unusableModel(path, "it is not an archive, or it is damaged", error);
  }
}
