import { lazily } from "../lazily.ts";

/** Plain text does not need it, and creating it slows down the start of a hook. */
const segmenter = lazily(() => new Intl.Segmenter(undefined, { granularity: "grapheme" }));

const CUT = "...";

/** UTF-16 units to examine for each cluster to keep. In real text, clusters are shorter than this on average. */
const UNITS_PER_CLUSTER = 64;

/** True for printable ASCII and line breaks other than CR, where every UTF-16 unit is a grapheme cluster. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7e || unit === 0x0d) return false;
  }
  return true;
}

/**
 * Truncates a text to `limit` grapheme clusters and appends `...` if it was longer. Never splits an emoji, a flag or a
 * combining sequence. Takes time proportional to the result, not to the text.
 */
export function truncateGraphemes(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit + 1);
  if (isPlain(head)) return head.slice(0, limit) + CUT;
  let count = 0;
  for (const { index } of segmenter().segment(text.slice(0, limit * UNITS_PER_CLUSTER))) {
    if (count === limit) return text.slice(0, index) + CUT;
    count++;
  }
  return text.length <= limit * UNITS_PER_CLUSTER ? text : text.slice(0, limit * UNITS_PER_CLUSTER) + CUT;
}
