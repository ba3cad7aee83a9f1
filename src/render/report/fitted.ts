import { charactersOf, cutMiddleToWidth, cutToWords, widthOf } from "../../text/width.ts";

/** Widths in em of wide fonts that a picture may be shown with, so that no text needs more room than it is given. */
const EM = { narrow: 0.42, usual: 0.66, capital: 0.8, broad: 1.02, emoji: 1.4, mono: 0.61 } as const;
/** What bold letters take more. */
const BOLD = 1.12;

export interface Lettering {
  /** In pixels. */
  size: number;
  isBold?: boolean;
  isMono?: boolean;
}

/** Returns the most pixels that a text takes in a picture. */
export function mostPixels(text: string, { size, isBold = false, isMono = false }: Lettering): number {
  const em = isMono
    ? widthOf(text) * EM.mono
    : charactersOf(text).reduce((sum, character) => sum + emOf(character), 0) * (isBold ? BOLD : 1);
  return em * size;
}

function emOf(character: string): number {
  if (/\p{Extended_Pictographic}/u.test(character)) return EM.emoji;
  if (widthOf(character) > 1 || /[mwMW@%&…—]/.test(character)) return EM.broad;
  if (/[\p{Lu}\d]/u.test(character)) return EM.capital;
  return /[iljtfr.,:;'|!()[\]/ -]/.test(character) ? EM.narrow : EM.usual;
}

/** Cuts a text to the pixels that it is given: between words or, as a path, in its middle. */
export function fitted(
  text: string,
  room: number,
  lettering: Lettering,
  kind: "words" | "path" = "words",
): string {
  const cut = kind === "words" ? cutToWords : cutMiddleToWidth;
  let columns = widthOf(text);
  let shown = text;
  while (columns > 0 && mostPixels(shown, lettering) > room) shown = cut(text, --columns);
  return shown;
}
