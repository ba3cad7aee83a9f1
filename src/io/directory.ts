import { chmodSync, lstatSync, mkdirSync, statSync } from "node:fs";
import { MementorError } from "../errors.ts";
import { ioError } from "./errors.ts";

/**
 * Ensures that a directory exists, belongs to the current user and is closed to others (0700). Removes the permissions
 * of others to read it. Throws `not_writable` when another user owns it or can write to it: its files cannot be trusted.
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
    hint: `Make yourself its owner and run "chmod 700 ${path}", or remove it.`,
  });
}
