import { lazily } from "../lazily.ts";
import { hasUnspaced } from "./scripts.ts";

/** Text with blanks between words does not need it. */
const segmenter = lazily(() => new Intl.Segmenter(undefined, { granularity: "word" }));

/** Only the start of a text is counted: callers want to know whether it has a few words or many. */
const MAX_CHARS = 10_000;

/** Counts the words of a text. In scripts without blanks (Japanese, Chinese, Thai, ...), a dictionary finds the words. */
export function wordCount(text: string): number {
  const head = text.slice(0, MAX_CHARS);
  if (!hasUnspaced(head)) return head.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_./-]*/gu)?.length ?? 0;
  let count = 0;
  for (const { isWordLike } of segmenter().segment(head)) if (isWordLike) count++;
  return count;
}
