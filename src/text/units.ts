/** Returns the largest index up to `index`, in UTF-16 units, that does not split a surrogate pair. */
export function pairStart(text: string, index: number): number {
  return isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index)) ? index - 1 : index;
}

/** Returns the first `length` UTF-16 units of a text, or one less where the cut would split a surrogate pair. */
export function firstUnits(text: string, length: number): string {
  return length >= text.length ? text : text.slice(0, pairStart(text, length));
}

/** Returns the last `length` UTF-16 units of a text, or one less where the cut would split a surrogate pair. */
export function lastUnits(text: string, length: number): string {
  if (length >= text.length) return text;
  const start = text.length - length;
  return text.slice(pairStart(text, start) === start ? start : start + 1);
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
