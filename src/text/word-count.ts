import { hasUnspaced } from "./scripts.ts";

/** Made when first needed: text with blanks does without. */
let segmenter: Intl.Segmenter | undefined;

/** How much of a text is looked at; whoever asks wants to know whether there are a few words or many. */
const MAX_CHARS = 10_000;

/** Counts the words of a text; in scripts without blanks (Japanese, Chinese, Thai, ...) as a dictionary divides them. */
export function wordCount(text: string): number {
  const head = text.slice(0, MAX_CHARS);
  if (!hasUnspaced(head)) return head.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_./-]*/gu)?.length ?? 0;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  let count = 0;
  for (const { isWordLike } of segmenter.segment(head)) if (isWordLike) count++;
  return count;
}
