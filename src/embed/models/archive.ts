import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { ioError } from "../../io/errors.ts";
import { ensurePrivateDir } from "../../io/write.ts";
import { chooseFiles, MODEL_LIMITS, type OfferedFile, unfit } from "./choose.ts";

const BLOCK = 512;
/** Positions of the fields in a tar header. */
const NAME = { at: 0, length: 100 };
const SIZE = { at: 124, length: 12 };
const KIND = 156;
/** Type flags of a plain file. */
const PLAIN = new Set(["0", "\0"]);

interface FileInArchive extends OfferedFile {
  bytes: Uint8Array;
}

/** A model packed as `.tar.gz`. */
export interface ModelArchive {
  /** The one directory that contains all files of the model. */
  name: string;
  /** Extracts the model's files, and nothing else, to a directory. */
  write: (directory: string) => void;
}

export function isArchive(path: string): boolean {
  return /\.(?:tar\.gz|tgz)$/.test(path);
}

/**
 * Reads an archive that has the files of a model in one directory.
 *
 * @throws `model_invalid` when it has another layout, `io` when it cannot be read.
 */
export function openModelArchive(path: string): ModelArchive {
  const found = filesOf(unpacked(path));
  const [folder = "", ...others] = new Set(found.map((file) => file.path.split("/")[0] ?? ""));
  if (folder === "" || others.length > 0) throw unfit(path, "its files are not in one directory");
  const offered = found.map((file) => ({ ...file, path: file.path.slice(folder.length + 1) }));
  return {
    name: folder,
    write(directory) {
      for (const { path: name, bytes } of chooseFiles(offered, path)) {
        const target = join(directory, name);
        try {
          ensurePrivateDir(dirname(target));
          writeFileSync(target, bytes, { mode: 0o600, flag: "wx" });
        } catch (error) {
          throw ioError(error, `write ${target}`);
        }
      }
    },
  };
}

function unpacked(path: string): Uint8Array {
  let packed: Uint8Array;
  try {
    packed = readFileSync(path);
  } catch (error) {
    throw ioError(error, `read ${path}`);
  }
  try {
    return gunzipSync(packed, { maxOutputLength: MODEL_LIMITS.weightsBytes });
  } catch (error) {
    throw unfit(path, "it is no archive, or it is damaged", error);
  }
}

/** Lists the plain files of a tar archive. */
function filesOf(archive: Uint8Array): FileInArchive[] {
  const text = ({ at, length }: typeof NAME, start: number) =>
    new TextDecoder().decode(archive.subarray(start + at, start + at + length)).replace(/\0.*$/s, "");
  const files: FileInArchive[] = [];
  for (let start = 0; start + BLOCK <= archive.byteLength; ) {
    const path = text(NAME, start);
    if (path === "") break;
    // A negative size would move the reader backwards and loop forever.
    const size = Math.max(0, Number.parseInt(text(SIZE, start), 8) || 0);
    const from = start + BLOCK;
    const kind = String.fromCharCode(archive[start + KIND] ?? 0);
    if (PLAIN.has(kind)) files.push({ path, size, bytes: archive.subarray(from, from + size) });
    start = from + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
