import { closeSync, openSync, readSync } from "node:fs";
import { READ } from "../../constants.ts";
import { ioError } from "../../io/errors.ts";
import { type JsonObject, parseObject } from "../../io/json.ts";
import { OPEN_UNTRUSTED } from "../../io/read.ts";

const NEWLINE = 10;
/** The end of one object and the start of the next. Cannot occur inside a JSON string, where quotes are escaped. */
const GLUE = Buffer.from('}{"');

const NO_BYTES = Buffer.alloc(0);

/** Reads bytes at a position into a buffer. Returns their number. */
type ReadAt = (into: Buffer, start: number, length: number, position: number) => number;

interface LineReaderOptions {
  maxLineBytes?: number;
  /** Pool of read buffers; a closed reader returns its buffer. */
  blocks?: BlockReader;
}

/**
 * Splits a file, or bytes in memory, into lines without copying. After `next()` has returned true, the line is
 * `bytes[start..end)` until the next call. Keeps one block in memory, or one line if that is longer. Skips lines over
 * `maxLineBytes` without keeping them.
 */
export class LineReader {
  bytes: Buffer = NO_BYTES;
  start = 0;
  end = 0;
  /** File offsets of the line's first byte and of the byte after its newline. */
  offset: number;
  nextOffset: number;
  /** True when the line was too long and was skipped; `start` and `end` are then equal. */
  tooLong = false;

  readonly #read: ReadAt;
  readonly #close: () => void;
  readonly #maxLineBytes: number;
  readonly #blocks: BlockReader;
  #store: Buffer;
  /** File offset of the buffer's first byte. */
  #base: number;
  #filled = 0;
  #lineStart = 0;
  #searched = 0;
  /** File offset of the line that is being skipped. */
  #dropFrom: number | null = null;

  /** Opens a file by its path; throws `MementorError` when it cannot be read. */
  constructor(
    file: string | Buffer,
    offset: number,
    { maxLineBytes = READ.maxLineBytes, blocks = new BlockReader() }: LineReaderOptions = {},
  ) {
    if (typeof file === "string") {
      const opened = open(file);
      this.#read = (into, start, length, position) => readSync(opened, into, start, length, position);
      this.#close = () => closeSync(opened);
    } else {
      this.#read = (into, start, length, position) => file.copy(into, start, position, position + length);
      this.#close = () => {};
    }
    this.#maxLineBytes = maxLineBytes;
    this.#blocks = blocks;
    this.#store = blocks.take();
    this.#base = offset;
    this.offset = offset;
    this.nextOffset = offset;
  }

  close(): void {
    this.#close();
    if (this.#store !== NO_BYTES) this.#blocks.giveBack(this.#store);
    this.#store = NO_BYTES;
  }

  /** Advances to the next line that ends in a newline. Returns false when more of the file must be read first. */
  next(): boolean {
    const newline = this.bytes.indexOf(NEWLINE, this.#searched);
    if (newline < 0) {
      this.#searched = this.#filled;
      return false;
    }
    this.#take(newline, newline + 1);
    return true;
  }

  /** Advances to the text after the last newline at the end of the file. Returns false when there is none. */
  rest(): boolean {
    if (this.#lineStart >= this.#filled && this.#dropFrom === null) return false;
    this.#take(this.#filled, this.#filled);
    return true;
  }

  #take(end: number, next: number): void {
    this.offset = this.#dropFrom ?? this.#base + this.#lineStart;
    this.tooLong = this.#dropFrom !== null || end - this.#lineStart > this.#maxLineBytes;
    this.start = this.tooLong ? end : this.#lineStart;
    this.end = end;
    this.nextOffset = this.#base + next;
    this.#lineStart = next;
    this.#searched = next;
    this.#dropFrom = null;
  }

  /** Reads more of the file. Returns false at its end. */
  fill(): boolean {
    if (this.#dropFrom !== null || this.#filled - this.#lineStart > this.#maxLineBytes) this.#drop();
    else this.#makeRoom();
    const position = this.#base + this.#filled;
    // A block that grew for a long line is not filled at once, so that new bytes stay in the processor's cache.
    const room = Math.min(this.#store.length - this.#filled, READ.blockBytes);
    const bytesRead = this.#read(this.#store, this.#filled, room, position);
    this.#filled += bytesRead;
    this.bytes = this.#store.subarray(0, this.#filled);
    return bytesRead > 0;
  }

  #drop(): void {
    if (this.#dropFrom === null) this.#store = Buffer.allocUnsafe(READ.blockBytes);
    this.#dropFrom ??= this.#base + this.#lineStart;
    this.#base += this.#filled;
    this.#filled = 0;
    this.#lineStart = 0;
    this.#searched = 0;
  }

  #makeRoom(): void {
    if (this.#lineStart > 0) {
      this.#store.copyWithin(0, this.#lineStart, this.#filled);
      this.#base += this.#lineStart;
      this.#filled -= this.#lineStart;
      this.#searched -= this.#lineStart;
      this.#lineStart = 0;
    }
    if (this.#store.length - this.#filled >= READ.blockBytes / 2) return;
    const larger = Buffer.allocUnsafe(2 * this.#store.length);
    this.#store.copy(larger, 0, 0, this.#filled);
    this.#store = larger;
  }

  /** Tells whether the line may contain a second object right after the first. */
  hasGlue(): boolean {
    return this.bytes.subarray(this.start, this.end).includes(GLUE);
  }

  text(): string {
    return this.bytes.toString("utf8", this.start, this.end);
  }
}

function open(path: string): number {
  try {
    return openSync(path, OPEN_UNTRUSTED.links);
  } catch (error) {
    throw ioError(error, `read ${path}`);
  }
}

/** Maximum size of a block to keep for the next file. */
const MAX_KEPT_BYTES = 4 << 20;

/**
 * A pool that hands the block of a closed `LineReader` to the next one. The files of an ingest share one, because fresh memory
 * for each file would cost more than its lines.
 */
export class BlockReader {
  #kept: Buffer | null = null;

  /** Returns an unused block of `READ.blockBytes` or more. */
  take(): Buffer {
    const block = this.#kept ?? Buffer.allocUnsafe(READ.blockBytes);
    this.#kept = null;
    return block;
  }

  /** Returns a block to the pool. The caller must not use it any more. */
  giveBack(block: Buffer): void {
    if (block.length <= MAX_KEPT_BYTES) this.#kept = block;
  }
}

/** Maximum bytes to search for the facts at a file's start. A first record may contain several pictures. */
const MAX_HEAD_BYTES = 64 << 20;

/**
 * Yields the lines of a file from its start, reading on demand, so that a caller can stop at the first line that it needs. Ends
 * quietly when the file cannot be read. The last line may be cut.
 */
export function* headLines(path: string): Iterable<string> {
  const lines = opened(path);
  if (lines === null) return;
  try {
    do while (lines.next()) yield lines.text();
    while (lines.nextOffset < MAX_HEAD_BYTES && filled(lines));
    if (lines.rest()) yield lines.text();
  } finally {
    lines.close();
  }
}

function opened(path: string): LineReader | null {
  try {
    return new LineReader(path, 0, { blocks: new BlockReader() });
  } catch {
    return null;
  }
}

/** Fills a line reader; false on an error: a directory can be opened but not read. */
function filled(lines: LineReader): boolean {
  try {
    return lines.fill();
  } catch {
    return false;
  }
}

/** Yields the records of a file of JSON lines from its start like `headLines`. Skips lines that do not parse. */
export function* headRecords(path: string): Iterable<JsonObject> {
  for (const line of headLines(path)) {
    const record = parseObject(line);
    if (record !== null && record !== undefined) yield record;
  }
}
