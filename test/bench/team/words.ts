import { type IndexedWords, indexedWords } from "../../../src/store/postgres/search/words.ts";

const CHECKED = 20;

/** What the index of a team's database holds of made-up texts: as `indexedWords`, which it asks for each word once. */
export class MadeWords {
  /** The stem of each word that was seen. */
  readonly #stems = new Map<string, string>();
  #checked = 0;

  /** Throws when the first texts do not come out as `indexedWords` has them. */
  of(project: number, texts: readonly string[]): IndexedWords[] {
    const words = texts.map((text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
    this.#learn(words.flat());
    const made = words.map((of) => this.#indexed(project, of));
    if (this.#checked < CHECKED) {
      this.#checked += texts.length;
      check(made, indexedWords(project, texts));
    }
    return made;
  }

  #learn(words: readonly string[]): void {
    const unknown = [...new Set(words)].filter((word) => !this.#stems.has(word));
    if (unknown.length === 0) return;
    for (const [i, { words }] of indexedWords(0, unknown).entries())
      this.#stems.set(unknown[i] ?? "", words.slice("'0:".length, words.lastIndexOf("'")));
  }

  #indexed(project: number, words: readonly string[]): IndexedWords {
    const places = new Map<string, number[]>();
    for (const [i, word] of words.entries()) {
      const stem = this.#stems.get(word) ?? word;
      const known = places.get(stem);
      if (known === undefined) places.set(stem, [i + 1]);
      else known.push(i + 1);
    }
    const repeats: Record<string, number> = {};
    let lexemes = "";
    for (const [stem, positions] of places) {
      if (positions.length > 1) repeats[stem] = positions.length;
      lexemes += ` '${project}:${stem}':${positions.join(",")}`;
    }
    const hasRepeats = Object.keys(repeats).length > 0;
    return {
      words: lexemes.slice(1),
      repeats: hasRepeats ? JSON.stringify(repeats) : null,
      length: words.length,
    };
  }
}

function check(made: readonly IndexedWords[], real: readonly IndexedWords[]): void {
  const comparable = (of: readonly IndexedWords[]) =>
    JSON.stringify(
      of.map(({ words, repeats, length }) => [
        words.split(" ").sort(),
        Object.entries(JSON.parse(repeats ?? "{}")).sort(),
        length,
      ]),
    );
  if (comparable(made) !== comparable(real)) throw new Error("made-up words are not indexed as real ones");
}
