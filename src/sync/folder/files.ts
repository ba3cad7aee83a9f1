import { constants, type Stats } from "node:fs";
import {
  copyFile,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  rm,
  rmdir,
  stat,
  unlink,
} from "node:fs/promises";
import { join } from "node:path";
import { MementorError } from "../../errors.ts";
import { ioError, isMissing, systemCode } from "../../io/errors.ts";
import { OPEN_UNTRUSTED } from "../../io/read.ts";
import { SYSTEM, temporaryName } from "../../io/system.ts";
import { UNTRUSTED } from "../../io/untrusted.ts";
import { isSealed, MAGIC_BYTES } from "./key.ts";

/** Everything that mementor writes lies in this directory of the user's folder. */
const ROOT = "mementor";

/** The files of a folder, by the names of directories and files below `ROOT`. Methods reject with `MementorError`. */
export interface FolderFiles {
  /** Names in a directory, in alphabetical order; none when it is missing. */
  list(path: readonly string[]): Promise<string[]>;
  /** The bytes of a file; null when it is missing, larger than `maxBytes`, or nothing that can be read. */
  read(path: readonly string[], maxBytes: number): Promise<Uint8Array | null>;
  /** Writes a file beside its place and renames it, so that it is there as a whole or not at all. */
  write(path: readonly string[], bytes: Uint8Array): Promise<void>;
  /** Removes a file, or an empty directory; does nothing when it is missing or not empty. */
  remove(path: readonly string[]): Promise<void>;
}

/**
 * Opens a folder. Anybody may write to it: nothing is followed that leads out of it, and nothing is read but plain files.
 * Throws `not_found` when the folder is not there, as a disk that is not mounted.
 */
export async function openFolder(
  directory: string,
  platform: NodeJS.Platform = process.platform,
): Promise<FolderFiles> {
  const found = await statOf(directory, true);
  if (!found?.isDirectory())
    throw new MementorError("not_found", `the folder is not there: ${directory}`, {
      hint: "Is its disk mounted, or its synchroniser set up?",
    });
  const at = (path: readonly string[]) => join(directory, ROOT, ...path);
  const changing = platform === "linux" ? inOpened : asSeen;
  return {
    list: async (path) => {
      if (!(await isReal(directory, path))) return [];
      return ifThere(`list ${at(path)}`, [], async () => (await readdir(at(path))).sort());
    },
    read: async (path, maxBytes) => {
      if (!(await isReal(directory, path.slice(0, -1)))) return null;
      return ifThere(`read ${at(path)}`, null, () => readPlain(at(path), maxBytes));
    },
    write: async (path, bytes) => {
      await makeReal(directory, path.slice(0, -1));
      await reported(`write ${at(path)}`, () => changing(directory, path, { write: bytes }));
    },
    remove: async (path) => {
      if (!(await isReal(directory, path.slice(0, -1)))) return;
      await ifThere(`remove ${at(path)}`, undefined, () => changing(directory, path, "remove"));
    },
  };
}

async function readPlain(path: string, maxBytes: number): Promise<Uint8Array | null> {
  if (!(await lstat(path)).isFile()) return null;
  await using file = await openPlain(path);
  if (file === null) return null;
  // Somebody may have put something else there since.
  const found = await file.stat();
  if (!found.isFile() || found.size > Math.min(maxBytes, UNTRUSTED.folderBytes)) return null;
  // Reads only the head of an unsealed file, because anybody can put large files there.
  const head = await filled(file, new Uint8Array(Math.min(found.size, MAGIC_BYTES)), 0);
  if (!isSealed(head)) return head;
  const bytes = new Uint8Array(found.size);
  bytes.set(head);
  return filled(file, bytes, head.length);
}

/** Reads into the rest of an array, as far as the file goes. */
async function filled(file: FileHandle, bytes: Uint8Array, from: number): Promise<Uint8Array> {
  let length = from;
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = (await file.read(bytes, length, bytes.length - length, length)).bytesRead;
  return bytes.subarray(0, length);
}

/** Opens a file; null where a link stands there by now. */
async function openPlain(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, OPEN_UNTRUSTED["no links"]);
  } catch (error) {
    if (systemCode(error) === "ELOOP") return null;
    throw error;
  }
}

/** A change to a file in an open directory. */
type Change = "remove" | { write: Uint8Array };

async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  await file.writeFile(bytes);
  await file.sync();
}

/**
 * Changes a file in directories that were opened one in the other, links not followed: somebody may put a link in the place
 * of one after it was looked at.
 */
async function inOpened(directory: string, path: readonly string[], change: Change): Promise<void> {
  const name = path.at(-1) ?? "";
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  let held = await open(directory, O_RDONLY | O_DIRECTORY);
  try {
    for (const part of [ROOT, ...path.slice(0, -1)]) {
      const next = await open(`/proc/self/fd/${held.fd}/${part}`, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      await held.close();
      held = next;
    }
    const place = `/proc/self/fd/${held.fd}/${name}`;
    if (change === "remove") await removeOne(place);
    else await replaceOne(place, change.write);
  } catch (error) {
    // A link stands there by now: there is nothing of ours in it.
    if (!["ELOOP", "ENOTDIR"].includes(systemCode(error) ?? "")) throw error;
  } finally {
    await held.close();
  }
}

/**
 * The same on systems without paths to open directories. Moves a file aside before examining it, so that no swapped link can
 * mislead, and removes it only if mementor wrote it. Never overwrites.
 */
async function asSeen(directory: string, path: readonly string[], change: Change): Promise<void> {
  const name = path.at(-1) ?? "";
  const place = join(directory, ROOT, ...path);
  if (change === "remove") {
    if ((await lstat(place)).isDirectory()) return removeEmpty(place);
    return rm(await movedAside(place, directory, name));
  }
  const written = temporaryName(join(directory, name));
  try {
    await writeNew(written, change.write);
    const before = (await statOf(place)) === null ? null : await movedAside(place, directory, name);
    await putNew(written, place);
    if (before !== null) await rm(before);
  } finally {
    await rm(written, { force: true });
  }
}

/** Moves what stands at a place to where it can be looked at. Throws `not_writable` where mementor did not write it. */
async function movedAside(place: string, directory: string, name: string): Promise<string> {
  const aside = temporaryName(join(directory, name));
  SYSTEM.rename(place, aside);
  if (await isOurs(aside)) return aside;
  throw new MementorError("not_writable", `${place} was no file of mementor's: it is ${aside} now`, {
    hint: "Put it where it belongs. Somebody may have swapped a directory of the folder for a link.",
  });
}

async function isOurs(path: string): Promise<boolean> {
  if (!(await lstat(path)).isFile()) return false;
  await using file = await openPlain(path);
  return file !== null && isSealed(await filled(file, new Uint8Array(MAGIC_BYTES), 0));
}

/** Renames a file unless the target exists. */
async function putNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (isMissing(error) || systemCode(error) === "EEXIST") throw error;
    // Not every system of files has links.
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}

async function replaceOne(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = temporaryName(path);
  try {
    await writeNew(temporary, bytes);
    SYSTEM.replace(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function removeOne(path: string): Promise<void> {
  const found = await lstat(path);
  if (found.isDirectory()) await removeEmpty(path);
  else await unlink(path);
}

async function removeEmpty(path: string): Promise<void> {
  await rmdir(path).catch((error: unknown) => {
    if (systemCode(error) !== "ENOTEMPTY") throw error;
  });
}

/** Tells whether all directories on the way are directories: a link could lead anywhere. */
async function isReal(directory: string, path: readonly string[]): Promise<boolean> {
  for (const place of placesOf(directory, path)) if (!(await statOf(place))?.isDirectory()) return false;
  return true;
}

async function makeReal(directory: string, path: readonly string[]): Promise<void> {
  for (const place of placesOf(directory, path)) {
    const found = await statOf(place);
    if (found?.isDirectory()) continue;
    if (found !== null)
      throw new MementorError("not_writable", `${place} is no directory`, {
        hint: "Somebody put it there. Remove it, then sync again.",
      });
    await reported(`make ${place}`, () => mkdir(place, { mode: 0o700 }));
  }
}

function placesOf(directory: string, path: readonly string[]): string[] {
  return [ROOT, ...path].map((_, i, names) => join(directory, ...names.slice(0, i + 1)));
}

async function statOf(path: string, followsLinks = false): Promise<Stats | null> {
  return ifThere(`look at ${path}`, null, () => (followsLinks ? stat(path) : lstat(path)));
}

async function reported<Result>(doing: string, work: () => Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(
      new MementorError("timeout", `cannot ${doing}: the folder does not answer`, {
        hint: "Is its network drive there?",
      }),
    );
  }, UNTRUSTED.folderAccessMs);
  try {
    return await Promise.race([work(), promise]);
  } catch (error) {
    throw ioError(error, doing);
  } finally {
    clearTimeout(timer);
  }
}

/** The same, with a result for what is missing. */
function ifThere<Result>(doing: string, missing: Result, work: () => Promise<Result>): Promise<Result> {
  return reported(doing, () =>
    work().catch((error: unknown) => {
      if (isMissing(error)) return missing;
      throw error;
    }),
  );
}
