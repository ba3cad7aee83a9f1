import { appendFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type LOG_LEVELS, LOG_LIMITS } from "../constants.ts";
import { MementorError } from "../errors.ts";
import { tryLock } from "../io/lock.ts";
import { statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import { ensurePrivateDir } from "../io/write.ts";
import { clean } from "../redact/gate.ts";

/** Longer values are truncated. */
const MAX_VALUE_CHARS = 2_000;

export type LogLevel = (typeof LOG_LEVELS)[number];

const RANK: Record<LogLevel, number> = { error: 0, warn: 1, info: 2, debug: 3 };

/** Facts about an event: numbers, short words, paths, errors. Never text that a person wrote. */
export type LogFacts = Readonly<Record<string, unknown>>;

type Write = (event: string, facts?: LogFacts, secrets?: LogFacts) => void;

/**
 * A project's log. Its methods never throw and never wait. `secrets` are texts of a person or of Claude (prompts,
 * passages). They are written only if the log's level is `debug`, whatever the level of the event.
 */
export interface Log {
  error: Write;
  warn: Write;
  info: Write;
  debug: Write;
}

/** The current file; older ones have `.1` and `.2` appended. */
export function logFilePath(directory: string): string {
  return join(directory, "mementor.jsonl");
}

/**
 * Opens the log in `directory`. The first line creates the directory if its parent exists. Each line is a JSON object:
 * `time` (ISO 8601), `level`, `pid`, `event`, then the facts. Several processes may write at once: each line is a single
 * append, and whichever process finds the file too large rotates it.
 */
export function openLog(options: {
  directory: string;
  level: LogLevel;
  now: () => Date;
  pid: number;
  limits?: { maxBytes: number; files: number };
}): Log {
  const { directory, level, now, pid, limits = LOG_LIMITS } = options;
  const write =
    (of: LogLevel): Write =>
    (event, facts = {}, secrets = {}) => {
      if (RANK[of] > RANK[level]) return;
      const kept = level === "debug" ? { ...facts, ...secrets } : facts;
      quietly(() => {
        const time = now().toISOString();
        append(directory, formatLine({ time, level: of, pid, event }, kept), limits);
      });
    };
  return { error: write("error"), warn: write("warn"), info: write("info"), debug: write("debug") };
}

/** A log that discards everything, for use outside projects. */
export const SILENT_LOG: Log = { error() {}, warn() {}, info() {}, debug() {} };

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // A full disk or a read-only home directory must not stop the work that is logged.
  }
}

function append(directory: string, line: string, limits: { maxBytes: number; files: number }): void {
  const file = logFilePath(directory);
  const size = statIfExists(file)?.size;
  if (size === undefined) makeDirectory(directory);
  else if (size + line.length > limits.maxBytes) rotate(file, limits);
  appendFileSync(file, line, { mode: 0o600 });
}

function makeDirectory(directory: string): void {
  if (!statIfExists(directory) && statIfExists(dirname(directory))) ensurePrivateDir(directory);
}

function rotate(file: string, { maxBytes, files }: { maxBytes: number; files: number }): void {
  using lock = tryLock(`${file}.lock`);
  if (!lock) return;
  // Another process may have rotated the file since the size check.
  if ((statIfExists(file)?.size ?? 0) < maxBytes / 2) return;
  for (let age = files - 1; age > 0; age--) {
    const from = age === 1 ? file : `${file}.${age - 1}`;
    if (statIfExists(from)) SYSTEM.rename(from, `${file}.${age}`);
  }
}

function formatLine(head: LogFacts, facts: LogFacts): string {
  const line = JSON.stringify({ ...head, ...facts, ...head }, (_key, value: unknown) =>
    shorten(withoutSecrets(describe(value))),
  );
  return `${line}\n`;
}

function withoutSecrets(value: unknown): unknown {
  return typeof value === "string" ? clean(value) : value;
}

function shorten(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  const isLong = typeof value === "string" && value.length > MAX_VALUE_CHARS;
  return isLong ? `${value.slice(0, MAX_VALUE_CHARS)}...` : value;
}

/** Converts an error to plain data, without the message of a syntax error: it quotes its input, which may be a prompt. */
function describe(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const quotesInput = value instanceof SyntaxError || value.cause instanceof SyntaxError;
  const at = value.stack
    ?.split("\n")
    .find((line) => line.trimStart().startsWith("at "))
    ?.trim();
  return {
    name: value.name,
    ...(value instanceof MementorError ? { code: value.code } : {}),
    ...(quotesInput ? {} : { message: value.message }),
    ...(at === undefined ? {} : { at }),
  };
}
