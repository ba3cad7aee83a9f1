import { copyFileSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { MementorError } from "../../errors.ts";
import { ensurePrivateDir } from "../../io/directory.ts";
import { ioError } from "../../io/errors.ts";
import { realPathIfExists, statIfExists } from "../../io/read.ts";
import { chooseFiles, type OfferedFile } from "./choose.ts";

/**
 * Copies a model's files from a directory to `staging`, following links.
 *
 * @throws `not_found` without a directory, `model_invalid` when files are missing, empty or too large, `io`, `disk_full`
 *   or `not_writable` when one cannot be copied.
 */
export function copyModel(from: string, staging: string): void {
  if (!statIfExists(from)?.isDirectory())
    throw new MementorError("not_found", `there is no directory ${from}`, {
      hint: 'Give a directory that contains a model, e.g. from "git clone" or "huggingface-cli download".',
    });
  for (const { path } of chooseFiles(filesOf(from), from)) {
    const target = join(staging, path);
    try {
      ensurePrivateDir(dirname(target));
      copyFileSync(join(from, path), target);
    } catch (error) {
      throw ioError(error, `copy ${join(from, path)}`);
    }
  }
}

/** Lists the files of the directory and of the subdirectories that models have. */
function filesOf(directory: string): OfferedFile[] {
  return ["", "onnx", "1_Pooling"].flatMap((folder) => {
    const within = join(directory, folder);
    if (!statIfExists(within)?.isDirectory()) return [];
    return readdirSync(within).flatMap((name) => {
      const found = statIfExists(join(within, name));
      return found?.isFile() ? { path: folder === "" ? name : `${folder}/${name}`, size: found.size } : [];
    });
  });
}

/** Returns the name of the model in this directory; for a snapshot in the hub's cache, the repository's name. */
export function nameOfDirectory(directory: string): string {
  const real = realPathIfExists(directory) ?? directory;
  const [, repository] =
    /(?<![^/\\])models--[^/\\]{1,200}--([^/\\]{1,200})[/\\]snapshots[/\\][0-9a-f]{40}$/.exec(real) ?? [];
  return repository ?? basename(real);
}
