import { closeSync, openSync, writeSync } from "node:fs";

const FLUSH_BYTES = 4 << 20;

type Field = string | number | null;

/** A file that `COPY … FROM` reads as text. */
export class TextCopy implements Disposable {
  readonly #file: number;
  #lines = "";

  constructor(path: string) {
    this.#file = openSync(path, "w", 0o644);
  }

  add(fields: readonly Field[]): void {
    this.#lines += `${fields.map(escaped).join("\t")}\n`;
    if (this.#lines.length > FLUSH_BYTES) this.#flush();
  }

  #flush(): void {
    writeSync(this.#file, this.#lines);
    this.#lines = "";
  }

  [Symbol.dispose](): void {
    this.#flush();
    closeSync(this.#file);
  }
}

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function escaped(field: Field): string {
  if (field === null) return "\\N";
  return typeof field === "number" ? String(field) : field.replace(/[\\\t\n\r]/g, (c) => ESCAPES[c] ?? c);
}

/** `bytea` as `COPY` reads it. */
export function bytea(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString("hex")}`;
}

/** A `halfvec` as a binary `COPY` reads it. */
export function halfvecBytes(vector: Float32Array): Buffer {
  const head = Buffer.alloc(4);
  head.writeInt16BE(vector.length);
  return Buffer.concat([head, Buffer.from(new Float16Array(vector).buffer).swap16()]);
}

/** A file of vectors for `COPY … FROM … (FORMAT binary)`: the columns of `chunk_vectors` in their order. */
export class VectorCopy implements Disposable {
  readonly #file: number;
  #rows: Buffer[] = [];
  #bytes = 0;

  constructor(path: string) {
    this.#file = openSync(path, "w", 0o644);
    this.#write(Buffer.concat([Buffer.from("PGCOPY\n\xff\r\n\0", "latin1"), Buffer.alloc(8)]));
  }

  add(
    {
      project,
      model,
      chunkId,
      turnId,
      author,
    }: Record<"project" | "model" | "chunkId" | "turnId", number> & {
      author: string;
    },
    halves: Buffer,
  ): void {
    const count = Buffer.alloc(2);
    count.writeInt16BE(6);
    const fields = [int8(project), int4(model), int8(chunkId), int8(turnId), Buffer.from(author), halves];
    this.#write(Buffer.concat([count, ...fields.flatMap((field) => [int4(field.length), field])]));
  }

  #write(bytes: Buffer): void {
    this.#rows.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes > FLUSH_BYTES) this.#flush();
  }

  #flush(): void {
    writeSync(this.#file, Buffer.concat(this.#rows));
    this.#rows = [];
    this.#bytes = 0;
  }

  [Symbol.dispose](): void {
    this.#write(Buffer.from([0xff, 0xff]));
    this.#flush();
    closeSync(this.#file);
  }
}

function int4(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int8(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}
