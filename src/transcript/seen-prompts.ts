import { READ } from "../constants.ts";

/** Bytes of a uuid's hash to store. The chance that two different prompts collide is 1 in 2^48. */
const HASH_BYTES = 6;

/** Hashes of the uuids of a file's prompts, in order. */
export class SeenPrompts {
  readonly #hashes: number[];
  readonly #known: Set<number>;

  /** Takes what `text` returned. */
  constructor(text: string) {
    const bytes = Buffer.from(text, "base64");
    const count = Math.floor(bytes.length / HASH_BYTES);
    this.#hashes = Array.from({ length: count }, (_, i) => bytes.readUIntBE(i * HASH_BYTES, HASH_BYTES));
    this.#known = new Set(this.#hashes);
  }

  get count(): number {
    return this.#hashes.length;
  }

  has(uuid: string): boolean {
    return this.#known.has(hashOf(uuid));
  }

  add(uuid: string): void {
    const hash = hashOf(uuid);
    this.#hashes.push(hash);
    this.#known.add(hash);
  }

  /** Returns the latest of the first `count` hashes, for the reader's state. */
  text(count: number): string {
    const kept = this.#hashes.slice(Math.max(0, count - READ.rememberedPrompts), count);
    const bytes = Buffer.alloc(kept.length * HASH_BYTES);
    for (const [i, hash] of kept.entries()) bytes.writeUIntBE(hash, i * HASH_BYTES, HASH_BYTES);
    return bytes.toString("base64");
  }
}

function hashOf(uuid: string): number {
  return Number(BigInt.asUintN(8 * HASH_BYTES, Bun.hash.xxHash3(uuid)));
}
