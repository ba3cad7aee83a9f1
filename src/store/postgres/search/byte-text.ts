const FIRST_BYTES = 1 << 16;
const ZERO = 48;
/** No number is longer. */
const MAX_DIGITS = 10;

/** Makes a text of many short pieces, in UTF-8. To add strings to each other takes half as long again. */
export class ByteText {
  #bytes = Buffer.alloc(FIRST_BYTES);
  #length = 0;

  add(piece: Uint8Array): void {
    this.#reserve(piece.length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < piece.length; i++) bytes[at++] = piece[i] ?? 0;
    this.#length = at;
  }

  /** Adds a whole number of at most ten digits, behind a character of ASCII where one is given. */
  addNumber(before: number | null, value: number): void {
    this.#reserve(MAX_DIGITS + 1);
    if (before !== null) this.#bytes[this.#length++] = before;
    let digits = 1;
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++;
    let rest = value;
    for (let at = this.#length + digits - 1; at >= this.#length; at--) {
      this.#bytes[at] = ZERO + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    this.#length += digits;
  }

  /** Returns the text, and begins a new one. */
  take(): string {
    const text = this.#bytes.toString("utf8", 0, this.#length);
    this.#length = 0;
    return text;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.alloc(2 * (this.#bytes.length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
