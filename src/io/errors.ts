import { type ErrorCode, MementorError } from "../errors.ts";

const CODES: Record<string, { code: ErrorCode; reason: string; hint?: string }> = {
  ENOSPC: { code: "disk_full", reason: "the disk is full", hint: "Free some space and try again." },
  EDQUOT: { code: "disk_full", reason: "the disk quota is used up", hint: "Free some space and try again." },
  EACCES: { code: "not_writable", reason: "permission denied", hint: "Check who owns it and its mode." },
  EPERM: { code: "not_writable", reason: "operation not permitted", hint: "Check who owns it and its mode." },
  EROFS: { code: "not_writable", reason: "the file system is read-only", hint: "Choose another place." },
  ENOENT: { code: "not_found", reason: "no such file or directory", hint: "Check the path." },
  ENOTDIR: { code: "not_found", reason: "part of the path is not a directory", hint: "Check the path." },
  ELOOP: { code: "io", reason: "too many symbolic links", hint: "Check where the links lead." },
  EISDIR: { code: "io", reason: "it is a directory", hint: "Name a file." },
};

/** Returns node's code of a failed system call (`ENOENT`, ...); null for any other error. */
export function systemCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

/** Converts the error of a system call to a `MementorError`. `doing` completes "cannot ...", e.g. `write /a/b`. */
export function ioError(error: unknown, doing: string): MementorError {
  if (error instanceof MementorError) return error;
  const known = CODES[systemCode(error) ?? ""];
  const reason = known?.reason ?? (error instanceof Error ? error.message : String(error));
  return new MementorError(known?.code ?? "io", `cannot ${doing}: ${reason}`, {
    cause: error,
    ...(known?.hint === undefined ? {} : { hint: known.hint }),
  });
}

/** Tells whether an error means that the path does not exist. */
export function isMissing(error: unknown): boolean {
  const code = systemCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}
