const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Returns how many columns of a terminal the text takes; escapes take none, wide characters two. */
export function widthOf(text: string): number {
  return Bun.stringWidth(text);
}

/** Cuts a text without escapes to at most `width` columns; what was cut is marked by `…`. Never splits a character. */
export function cutToWidth(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    used += widthOf(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return width < 1 ? "" : `${kept}…`;
}

/** The same at the start of the text, which is what paths can spare. */
export function cutStartToWidth(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const kept: string[] = [];
  let used = 0;
  for (const { segment } of [...segmenter.segment(text)].reverse()) {
    used += widthOf(segment);
    if (used > width - 1) break;
    kept.unshift(segment);
  }
  return width < 1 ? "" : `…${kept.join("")}`;
}
