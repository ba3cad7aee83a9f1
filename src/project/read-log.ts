import { type FileHandle, open, stat } from "node:fs/promises";
import { systemCode } from "../io/errors.ts";
import { logFilePath } from "./log.ts";

const POLL_MS = 250;

/**
 * Reads the lines of a log, oldest first, starting with the rotated files. Lines come without line breaks.
 *
 * With `follow`, waits for more lines, across rotations, until the signal is aborted. `last` starts that many lines
 * before the end. Lines that `keep` rejects are skipped and do not count for `last`.
 */
export async function* readLog(
  directory: string,
  options: {
    follow?: boolean;
    last?: number;
    keep?: (line: string) => boolean;
    signal?: AbortSignal;
    pollMs?: number;
  } = {},
): AsyncIterable<string> {
  const { follow = false, last = Number.POSITIVE_INFINITY, signal, pollMs = POLL_MS } = options;
  const { keep = () => true } = options;
  const file = logFilePath(directory);
  const older = await wholeLines([`${file}.2`, `${file}.1`]);
  await using reader = new LineReader(file);
  const present = [...older, ...(await reader.more())].filter(keep);
  yield* present.slice(Math.max(0, present.length - last));
  while (follow && !signal?.aborted) {
    await pause(pollMs, signal);
    yield* (await reader.more()).filter(keep);
  }
}

async function wholeLines(files: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const file of files) {
    await using reader = new LineReader(file);
    lines.push(...(await reader.more()));
  }
  return lines;
}

/** Reads what was appended to a file since the last call. After a rotation, continues with the new file. */
class LineReader {
  readonly #file: string;
  #handle: FileHandle | null = null;
  #offset = 0;
  #rest = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns complete lines. The start of an incomplete line is kept for the next call. */
  async more(): Promise<string[]> {
    const lines = await this.#read();
    if (this.#handle && (await this.#wasReplaced(this.#handle))) {
      // The old file may have grown between the last read and the rename.
      lines.push(...(await this.#read()));
      await this[Symbol.asyncDispose]();
      lines.push(...(await this.#read()));
    }
    return lines;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle?.close();
    this.#handle = null;
    this.#offset = 0;
    this.#rest = Buffer.alloc(0);
  }

  async #read(): Promise<string[]> {
    this.#handle ??= await openIfExists(this.#file);
    if (!this.#handle) return [];
    const { size } = await this.#handle.stat();
    const added = Buffer.alloc(Math.max(0, size - this.#offset));
    const { bytesRead } = await this.#handle.read(added, 0, added.length, this.#offset);
    this.#offset += bytesRead;
    const bytes = Buffer.concat([this.#rest, added.subarray(0, bytesRead)]);
    const end = bytes.lastIndexOf(10) + 1;
    this.#rest = bytes.subarray(end);
    return bytes.toString("utf8", 0, end).split("\n").slice(0, -1);
  }

  async #wasReplaced(handle: FileHandle): Promise<boolean> {
    const named = await stat(this.#file).catch(() => null);
    const held = await handle.stat();
    return named !== null && (named.ino !== held.ino || named.size < this.#offset);
  }
}

async function openIfExists(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, "r");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal?.addEventListener("abort", () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
