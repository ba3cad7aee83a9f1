/** Made at first use, and only for text that is not ASCII: it costs more than all else that a list does. */
let segmenter: Intl.Segmenter | undefined;

/** Returns how many columns of a terminal the text takes; escapes take none, wide characters two. */
export function widthOf(text: string): number {
  return Bun.stringWidth(text);
}

/** Cuts a text without escapes to at most `width` columns; what was cut is marked by `…`. Never splits a character. */
export function cutToWidth(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return width < 1 ? "" : `${leading(charactersOf(text), width - 1).join("")}…`;
}

/** The same at the start of the text, which is what paths can spare. */
export function cutStartToWidth(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return width < 1
    ? ""
    : `…${leading(charactersOf(text).reverse(), width - 1)
        .reverse()
        .join("")}`;
}

/** Grapheme clusters; in printable ASCII every unit is one. */
function charactersOf(text: string): string[] {
  if (/^[\x20-\x7e]*$/.test(text)) return text.split("");
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function leading(characters: readonly string[], width: number): string[] {
  let used = 0;
  const end = characters.findIndex((character) => {
    used += widthOf(character);
    return used > width;
  });
  return characters.slice(0, end < 0 ? characters.length : end);
}
