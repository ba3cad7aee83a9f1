import { chmodSync, lstatSync, mkdirSync, statSync } from "node:fs";
import { MementorError } from "../errors.ts";
import { ioError } from "./errors.ts";

/**
 * Makes sure that a directory exists, is ours and is closed to others (0700). One of ours that others may read is
 * closed; one that others own or may write to is refused with `not_writable`, since anything could be planted there.
 */
export function ensurePrivateDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const uid = process.geteuid?.();
    if (uid === undefined) return;
    const found = statSync(path);
    if (found.uid !== uid || lstatSync(path).uid !== uid) throw unsafe(path, "belongs to another user");
    if (found.mode & 0o022) throw unsafe(path, "can be written to by others");
    if (found.mode & 0o077) chmodSync(path, 0o700);
  } catch (error) {
    throw ioError(error, `use ${path}`);
  }
}

function unsafe(path: string, why: string): MementorError {
  return new MementorError("not_writable", `refusing to use ${path}: it ${why}`, {
    hint: `Make it yours and private (chmod 700 ${path}), or remove it.`,
  });
}
