import { READ } from "../../constants.ts";

/** A larger block is not kept for the next file. */
const MAX_KEPT_BYTES = 4 << 20;

/**
 * Hands the block of a closed `LineReader` to the next one. Share one between the files of an ingest: fresh memory for
 * each file would cost more than its lines.
 */
export class Blocks {
  #kept: Buffer | null = null;

  /** Returns a block that nobody else uses, of `READ.blockBytes` or more. */
  take(): Buffer {
    const block = this.#kept ?? Buffer.allocUnsafe(READ.blockBytes);
    this.#kept = null;
    return block;
  }

  /** Takes a block back. The caller must not use it any more. */
  giveBack(block: Buffer): void {
    if (block.length <= MAX_KEPT_BYTES) this.#kept = block;
  }
}
