import { Tokenizer } from "@huggingface/tokenizers";
import type { IdTokenizer } from "../tokenizer/tokenizer.ts";

/** Upper bound of the average characters per token. What comes after it would be truncated anyway. */
const MAX_CHARS_PER_TOKEN = 32;

/** The special tokens that a model expects before and after a text. */
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
      const head = `${prefix}${text}`.slice(0, room * MAX_CHARS_PER_TOKEN);
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
  if (start === undefined)
    throw new TypeError("the tokenizer encodes a text differently when it adds special tokens");
  return { before: framed.slice(0, start), after: framed.slice(start + plain.length) };
}
