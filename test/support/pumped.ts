/** Texts that make a pattern search long, if anything does: a repeated piece that one of its loops takes, and an end that fits nothing. */

/** A part of a pattern: what it is, a few texts that it matches, and how often it may come. */
interface Item {
  samples: string[];
  isLoop: boolean;
  /** The items of a group's alternatives. */
  inside: Item[][];
}

/** Characters of every kind that classes distinguish. */
const CANDIDATES = [..." \t\naA0._-/\\:;,'\"`<>()[]{}#*+=!?@|&~$%é…–'“\u0000\u001b"];
const ESCAPED: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", "0": "\0" };
const MAX_SAMPLES = 5;

/** Reads a pattern's source. What it does not know, such as a look-around, matches the empty text. */
class Reader {
  #at = 0;
  readonly #source: string;
  readonly #flags: string;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags.replace(/[gy]/g, "");
  }

  alternatives(): Item[][] {
    const all: Item[][] = [[]];
    while (this.#at < this.#source.length && this.#source[this.#at] !== ")") {
      if (this.#source[this.#at] === "|") {
        this.#at++;
        all.push([]);
      } else all.at(-1)?.push(this.#item());
    }
    return all;
  }

  #item(): Item {
    const item = this.#atom();
    const quantifier = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at));
    if (quantifier === null) return item;
    this.#at += quantifier[0].length;
    const [all, least = "", comma, most] = quantifier;
    const times = all.startsWith("{") ? Number(least) : all.startsWith("+") ? 1 : 0;
    const isLoop = /^[*+]/.test(all) || (comma === "," && most === "");
    const repeated = item.samples.map((sample) => sample.repeat(Math.min(times, 200)));
    // What may be missing is left out in the sample; the loop repeats it.
    return isLoop
      ? { ...item, isLoop, samples: times === 0 ? ["", ...item.samples] : repeated }
      : { ...item, samples: times === 0 ? ["", ...item.samples] : repeated };
  }

  #atom(): Item {
    const rest = this.#source.slice(this.#at);
    const look = /^\(\?<?[=!]/.exec(rest)?.[0];
    const group = look ?? /^\((?:\?(?:<\w+>|:|[a-z-]*:))?/.exec(rest)?.[0];
    if (group !== undefined) {
      this.#at += group.length;
      const inside = this.alternatives();
      this.#at++;
      if (look !== undefined) return leaf([""]);
      return {
        samples: inside.flatMap((items) => samplesOf(items).slice(0, 2)).slice(0, MAX_SAMPLES),
        isLoop: false,
        inside,
      };
    }
    const one =
      /^\[(?:\\.|[^\]\\])*\]|^\\[pP]\{[^}]*\}|^\\u\{?[\da-fA-F]+\}?|^\\x[\da-fA-F]{2}|^\\c[A-Za-z]|^\\k<\w+>|^\\.|^[\s\S]/u.exec(
        rest,
      )?.[0] ?? "";
    this.#at += Math.max(1, one.length);
    if (one === "^" || one === "$" || /^\\(?:[bB]|[1-9]|k<)/.test(one)) return leaf([""]);
    if (!/^[.[\\]/.test(one)) return leaf([one]);
    const plain = ESCAPED[one[1] ?? ""];
    if (one.startsWith("\\") && plain !== undefined) return leaf([plain]);
    const matcher = new RegExp(`^(?:${one})$`, this.#flags);
    const fitting = CANDIDATES.filter((char) => matcher.test(char));
    return leaf(fitting.length > MAX_SAMPLES ? spread(fitting) : fitting);
  }
}

/** A few of the characters, of different kinds. */
function spread(chars: readonly string[]): string[] {
  return Array.from(
    { length: MAX_SAMPLES },
    (_, i) => chars[Math.floor((i * chars.length) / MAX_SAMPLES)] ?? "",
  );
}

function leaf(samples: string[]): Item {
  return { samples: samples.length === 0 ? [""] : samples, isLoop: false, inside: [] };
}

/** Texts that a row of items matches. */
function samplesOf(items: readonly Item[]): string[] {
  return Array.from({ length: MAX_SAMPLES }, (_, i) =>
    items.map(({ samples }) => samples[i % samples.length] ?? "").join(""),
  );
}

/** A text before a repeated piece, and the piece. */
export interface Pump {
  before: string;
  piece: string;
}

/** What to repeat, and behind which text, so that the loops of a pattern and the search for its start work most. */
export function pumpsOf({ source, flags }: RegExp): Pump[] {
  const pumps = new Reader(source, flags).alternatives().flatMap((row) => [...pumpsIn(row, "")]);
  const apart = new Map(pumps.map((pump) => [`${pump.before}\0${pump.piece}`, pump]));
  return [...apart.values()].filter(({ piece }) => piece !== "");
}

function* pumpsIn(row: readonly Item[], before: string): Iterable<Pump> {
  for (const [i, item] of row.entries()) {
    const lead = before + (samplesOf(row.slice(0, i))[1] ?? "");
    for (const inner of item.inside) yield* pumpsIn(inner, lead);
    if (item.isLoop) yield* pumpsOfLoop(row, i, lead);
  }
}

/** The body of a loop, behind what precedes it and alone; and the row up to it, again and again. */
function* pumpsOfLoop(row: readonly Item[], i: number, lead: string): Iterable<Pump> {
  const { inside, samples } = row[i] ?? leaf([]);
  const bodies = inside.length > 0 ? inside.flatMap((inner) => samplesOf(inner)) : samples;
  for (const piece of bodies) {
    yield { before: lead, piece };
    yield { before: "", piece };
  }
  const starts = [...samplesOf(row.slice(0, i)).slice(0, 2), ...samplesOf(row.slice(0, i + 1)).slice(0, 3)];
  // A loop within a group begins anew after whatever stands before the group.
  for (const piece of [lead, ...starts]) yield { before: "", piece };
}

/** A text of a length that repeats a piece and ends with what hardly any pattern takes. */
export function pumped({ before, piece }: Pump, length: number): string {
  return `${before}${piece.repeat(Math.ceil(length / piece.length))}\u0001\n\u0001`;
}
