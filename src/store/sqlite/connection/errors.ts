import { type ErrorCode, MementorError } from "../../../errors.ts";

interface Meaning {
  code: ErrorCode;
  message: string;
  hint: string;
}

const MEANINGS: readonly (readonly [prefix: string, meaning: Meaning])[] = [
  [
    "SQLITE_BUSY",
    {
      code: "db_locked",
      message: "another process is writing to the database",
      hint: "Wait for the other mementor process to end, then try again.",
    },
  ],
  [
    "SQLITE_LOCKED",
    {
      code: "db_locked",
      message: "the database is in use",
      hint: "Wait for the other mementor process to end, then try again.",
    },
  ],
  [
    "SQLITE_NOTADB",
    {
      code: "db_corrupt",
      message: "the file is not a database",
      hint: "Name another database with --db, or move this file away. The next ingest then creates a new memory from the transcripts on disk.",
    },
  ],
  [
    "SQLITE_CORRUPT",
    {
      code: "db_corrupt",
      message: "the database is damaged",
      hint: "Run `mementor doctor --fix`: it sets the file aside and recovers what can be read.",
    },
  ],
  [
    "SQLITE_FULL",
    {
      code: "disk_full",
      message: "the disk is full",
      hint: "Free some space; what was stored before is intact.",
    },
  ],
  [
    "SQLITE_READONLY",
    {
      code: "not_writable",
      message: "the database cannot be written to",
      hint: "Check the owner and the permissions of the file and its directory.",
    },
  ],
  [
    "SQLITE_CANTOPEN",
    {
      code: "not_writable",
      message: "the database cannot be opened",
      hint: "Check that the directory exists and that its owner and permissions are yours.",
    },
  ],
  [
    "SQLITE_PERM",
    {
      code: "not_writable",
      message: "access to the database is denied",
      hint: "Check the owner and the permissions of the file and its directory.",
    },
  ],
  [
    "SQLITE_IOERR",
    {
      code: "io",
      message: "reading or writing the database failed",
      hint: "Check the disk and its file system; what was stored before is intact.",
    },
  ],
];

/** Converts an error of SQLite or the file system to a `MementorError` that names the file. Returns other errors unchanged. */
export function mapSqliteError(error: unknown, file: string): unknown {
  if (error instanceof MementorError || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const meaning = MEANINGS.find(([prefix]) => code.startsWith(prefix))?.[1] ?? fileSystemMeaning(code);
  if (meaning === undefined) return error;
  return new MementorError(meaning.code, `${meaning.message}: ${file}`, { hint: meaning.hint, cause: error });
}

const FILE_SYSTEM: Record<string, string> = {
  ENOSPC: "SQLITE_FULL",
  EDQUOT: "SQLITE_FULL",
  EACCES: "SQLITE_READONLY",
  EPERM: "SQLITE_READONLY",
  EROFS: "SQLITE_READONLY",
  ENOENT: "SQLITE_CANTOPEN",
  ENOTDIR: "SQLITE_CANTOPEN",
};

function fileSystemMeaning(code: string): Meaning | undefined {
  return MEANINGS.find(([prefix]) => prefix === FILE_SYSTEM[code])?.[1];
}

/**
 * Converts an error that looks like damage in a database that is read without locks, because another process may have changed it
 * meanwhile. Returns other errors unchanged.
 */
export function mapLocklessError(error: unknown, file: string): unknown {
  if (!isDamage(error)) return error;
  return new MementorError("db_locked", `the database changed while it was read: ${file}`, {
    hint: "Try again. If this happens every time, the database is damaged: run `mementor doctor`.",
    cause: error,
  });
}

/** Tells whether the file itself is damaged, not only unreachable. */
export function isDamage(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code.startsWith("SQLITE_CORRUPT") || code.startsWith("SQLITE_NOTADB");
}

/** Tells whether SQLite or the system could not write, e.g. because the disk is read-only or full. */
export function cannotWrite(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return UNWRITABLE.test(code);
}

const UNWRITABLE = /^(?:SQLITE_(?:CANTOPEN|READONLY|PERM|IOERR|FULL)|EROFS$|EACCES$|EPERM$|ENOSPC$|EDQUOT$)/;
