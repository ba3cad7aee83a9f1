import type { EngineFile } from "./engine-file.ts";

const SPACE = "▁";

/**
 * Writes the tokenizer in the library's format. The table of characters is left empty: the library has its own for models
 * of this kind. Special tokens are declared nowhere, so that a text that names one is cut like any other.
 */
export function tokenizerJson({ pieces, special }: EngineFile): string {
  const named = (id: number) => pieces[id]?.text ?? "";
  const token = (id: number) => ({ SpecialToken: { id: named(id), type_id: 0 } });
  const text = { Sequence: { id: "A", type_id: 0 } };
  const known = (id: number) => [named(id), { id: named(id), ids: [id], tokens: [named(id)] }] as const;
  const frame = [token(special.begin), text, token(special.end)];
  const rest = {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: {
      type: "Sequence",
      normalizers: [
        { type: "NFC" },
        { type: "Precompiled", precompiled_charsmap: "" },
        { type: "Replace", pattern: { Regex: " {2,}" }, content: " " },
      ],
    },
    pre_tokenizer: { type: "Metaspace", replacement: SPACE, prepend_scheme: "always", split: false },
    post_processor: {
      type: "TemplateProcessing",
      single: frame,
      pair: frame,
      special_tokens: Object.fromEntries([special.begin, special.end].map(known)),
    },
    decoder: { type: "Metaspace", replacement: SPACE, prepend_scheme: "always", split: false },
  };
  const vocab = pieces.map(({ text, score }) => `[${JSON.stringify(text)},${shortest(score)}]`).join(",\n");
  const model = `{"type":"Unigram","unk_id":${special.unknown},"byte_fallback":false,"vocab":[\n${vocab}\n]}`;
  return `${JSON.stringify(rest).slice(0, -1)},"model":${model}}\n`;
}

/** Returns the shortest decimal number that rounds to this float32. */
function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}
