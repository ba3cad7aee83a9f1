import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { MementorError } from "../errors.ts";
import { ioError } from "./errors.ts";
import { statIfExists } from "./read.ts";
import { SYSTEM, temporaryName } from "./system.ts";
import { UNTRUSTED } from "./untrusted.ts";

interface WriteOptions {
  /** Mode of a new file; 0644 when absent. */
  mode?: number;
  /** Replaces whatever is at the path with a new file. Does not follow links, nor keep the old mode and owner. */
  replace?: boolean;
  /** False to skip waiting for the disk. The write is still atomic, but a power cut may lose the content. */
  sync?: boolean;
}

/** A file written piece by piece that appears at its path only after `commit`. */
interface AtomicFile {
  write(content: string | Uint8Array): void;
  commit(): void;
  /** Removes the unfinished file. Does nothing after `commit`. */
  discard(): void;
}

/**
 * Replaces the content of a file so that a crash leaves either the old or the new content. Follows a symbolic link and keeps it.
 * An existing file keeps its mode and, if possible, its owner.
 */
export function writeAtomic(path: string, content: string | Uint8Array, options: WriteOptions = {}): void {
  const file = openAtomic(path, options);
  try {
    file.write(content);
    file.commit();
  } finally {
    file.discard();
  }
}

/** Starts to write a file like `writeAtomic`. The caller ends with `commit` or `discard`. Throws like `ioError`. */
export function openAtomic(path: string, options: WriteOptions = {}): AtomicFile {
  const { mode = 0o644, replace = false, sync = true } = options;
  const doing = `write ${path}`;
  const { target, temporary, descriptor } = mapped(doing, () => draftOf(path, mode, replace));
  let state: "open" | "closed" | "done" = "open";
  const close = () => {
    if (state === "open") closeSync(descriptor);
    state = "closed";
  };
  return {
    write: (content) => mapped(doing, () => writeAll(descriptor, content)),
    commit: () =>
      mapped(doing, () => {
        if (sync) fsyncSync(descriptor);
        close();
        SYSTEM.replace(temporary, target);
        state = "done";
        if (sync) syncDirectory(dirname(target));
      }),
    discard() {
      if (state === "done") return;
      close();
      rmSync(temporary, { force: true });
      state = "done";
    },
  };
}

function mapped<T>(doing: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw ioError(error, doing);
  }
}

function draftOf(path: string, mode: number, replace: boolean) {
  const target = replace ? resolve(path) : followLinks(path);
  const existing = replace ? null : statIfExists(target);
  if (existing) accessSync(target, constants.W_OK);
  const temporary = temporaryName(target);
  const descriptor = openSync(temporary, "wx", existing ? existing.mode & 0o777 : mode);
  if (existing) copyOwnerAndMode(descriptor, existing);
  return { target, temporary, descriptor };
}

/** Returns the file at the end of a chain of symbolic links. It need not exist. */
function followLinks(path: string): string {
  let target = resolve(path);
  for (let hops = 0; hops < 40; hops++) {
    if (!lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink()) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  throw new MementorError("io", `cannot write ${path}: too many symbolic links`);
}

/** Flags for opening a file to append to: a link is an error, and a pipe does not block. */
const OPEN_OWN =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/**
 * Adds a line to a file unless the file already has it. Throws like `ioError` for anything but a small regular file of the
 * current user without other hard links.
 */
export function addLine(path: string, line: string): void {
  mapped(`write ${path}`, () => {
    const file = openSync(path, OPEN_OWN, 0o600);
    try {
      const stats = fstatSync(file);
      const isOwn = stats.isFile() && stats.nlink === 1 && stats.uid === (process.geteuid?.() ?? stats.uid);
      if (!isOwn || stats.size > UNTRUSTED.fileBytes)
        throw new MementorError("io", `cannot write ${path}: it is not a regular file that you own`);
      const before = readFileSync(file, "utf8");
      const isApart = before === "" || before.endsWith("\n");
      if (!before.split("\n").includes(line)) writeAll(file, `${isApart ? "" : "\n"}${line}\n`);
    } finally {
      closeSync(file);
    }
  });
}

function writeAll(descriptor: number, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

function copyOwnerAndMode(descriptor: number, like: Stats): void {
  try {
    fchownSync(descriptor, like.uid, like.gid);
  } catch {
    // Only root may change the owner. Other users own the new file, as with any editor.
  }
  // Unlike the mode given to `open`, this ignores the umask.
  fchmodSync(descriptor, like.mode & 0o777);
}

function syncDirectory(path: string): void {
  try {
    const descriptor = openSync(path, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Some systems cannot open or sync a directory. The rename is still atomic there.
  }
}

/**
 * Ensures that a directory exists, belongs to the current user and is closed to others (0700). Removes the permissions of others
 * to read it. Throws `not_writable` when another user owns it or can write to it, since its files cannot be trusted.
 */
export function ensurePrivateDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const uid = process.geteuid?.();
    if (uid === undefined) return;
    const found = statSync(path);
    if (found.uid !== uid || lstatSync(path).uid !== uid) throw unsafe(path, "belongs to another user");
    if (found.mode & 0o022) throw unsafe(path, "is writable by other users");
    if (found.mode & 0o077) chmodSync(path, 0o700);
  } catch (error) {
    throw ioError(error, `use ${path}`);
  }
}

function unsafe(path: string, why: string): MementorError {
  return new MementorError("not_writable", `${path} is not safe to use: it ${why}`, {
    hint: `Change its owner to yourself and run "chmod 700 ${path}", or remove it.`,
  });
}
