/**
 * Writes vectors as pgvector reads a `halfvec`. The numbers are rounded here: a half-precision number has one of 65,536 values,
 * so that each text is made once for as long as this lives, and five digits tell it from its neighbours.
 */
export class HalfTexts {
  readonly #texts: string[] = [];

  of(vector: Float32Array): string {
    const halves = new Float16Array(vector);
    const bits = new Uint16Array(halves.buffer);
    const texts = new Array<string>(bits.length);
    for (let i = 0; i < bits.length; i++) texts[i] = this.#text(bits[i] ?? 0, halves[i] ?? 0);
    return `[${texts.join(",")}]`;
  }

  #text(bits: number, value: number): string {
    this.#texts[bits] ??= String(Number(value.toPrecision(5)));
    return this.#texts[bits];
  }
}
