import { Tokenizer } from "@huggingface/tokenizers";
import { MODEL_LIMITS } from "../../constants.ts";
import type { IdTokenizer } from "../tokenizer/tokenizer.ts";

/** Special tokens that a model wants before and after a text. */
interface Frame {
  before: readonly number[];
  after: readonly number[];
}

/** Opens the tokenizer of any model from the parsed `tokenizer.json` and `tokenizer_config.json`. */
export function openModelTokenizer(tokenizer: object, config: object, prefix: string): IdTokenizer {
  const library = new Tokenizer(tokenizer, config);
  const idsOf = (text: string) => library.encode(text.toWellFormed(), { add_special_tokens: false }).ids;
  const frame = frameOf(library);
  return {
    count: (text) => idsOf(text).length,
    encode(text, maxTokens) {
      const room = maxTokens - frame.before.length - frame.after.length;
      // No token is this long on average: what comes later would be cut off anyway.
      const head = `${prefix}${text}`.slice(0, room * MODEL_LIMITS.charsPerToken);
      const ids = [...frame.before, ...idsOf(head).slice(0, room), ...frame.after];
      return ids.length > 0 ? ids : [0];
    },
  };
}

function frameOf(library: Tokenizer): Frame {
  const plain = library.encode("a", { add_special_tokens: false }).ids;
  const framed = library.encode("a", { add_special_tokens: true }).ids;
  const last = framed.length - plain.length;
  const start = Array.from({ length: last + 1 }, (_, at) => at).find((at) =>
    plain.every((id, i) => framed[at + i] === id),
  );
  if (start === undefined) throw new TypeError("the tokenizer changes a text where it adds special tokens");
  return { before: framed.slice(0, start), after: framed.slice(start + plain.length) };
}
