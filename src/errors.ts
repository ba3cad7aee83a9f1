/** The kind of an error. Scripts may rely on these names. */
export type ErrorCode =
  | "usage"
  | "not_found"
  | "config_invalid"
  | "settings_invalid"
  | "db_newer"
  | "db_older"
  | "db_corrupt"
  | "db_locked"
  | "db_foreign"
  | "disk_full"
  | "not_writable"
  | "assets_unsafe"
  | "assets_broken"
  | "assets_packed"
  | "embedder_unavailable"
  | "model_invalid"
  | "import_invalid"
  | "server_unreachable"
  | "server_untrusted"
  | "server_login"
  | "server_denied"
  | "server_unsupported"
  | "server_read_only"
  | "server_full"
  | "server_busy"
  | "folder_key"
  | "io"
  | "timeout"
  | "interrupted"
  | "internal";

/** The only error class: a code for programs, a message that says what is wrong, and a hint that says what to do. */
export class MementorError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "MementorError";
    this.code = code;
    this.hint = options.hint;
  }
}

/** Returns the error as a `MementorError`. Wraps unexpected errors with the code `internal`. */
export function toMementorError(error: unknown): MementorError {
  if (error instanceof MementorError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new MementorError("internal", message, { cause: error });
}

/**
 * Returns a message as a sentence, with a capital and a full stop. Messages lack both, because they are also used within longer
 * sentences. The program's name keeps its small letter.
 */
export function sentence(message: string): string {
  const capital = /^(?!mementor )[a-z]+(?= )/.test(message)
    ? `${message[0]?.toUpperCase()}${message.slice(1)}`
    : message;
  return /[.!?:)]$/.test(capital) ? capital : `${capital}.`;
}

/** What went wrong, and what to do about it, as data. */
export function problemOf(error: unknown): { message: string; hint: string | null } {
  const { message, hint = null } = toMementorError(error);
  return { message, hint };
}
