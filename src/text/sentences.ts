/**
 * The end of a sentence: punctuation and closing signs before a space and no small letter, before a sentence in Hangul, or
 * the end of a line. The number of a list item, as in "1. ", ends no sentence. Full-width punctuation needs no space.
 */
const END =
  /[.!?…](?<!(?:^|\n)[ \t]*\d{1,2}\.)[)\]"'»”’*_`]*(?=\s+(?:[^\s\p{Ll}]|$)|$)|(?<=\p{Script=Hangul})[.!?…]+(?=\p{Script=Hangul})|[。！？｡．]+[」』）】”’]*|\n+/gu;
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|z\.B|d\.h|u\.a|o\.ä|bzw|ca|vgl|ggf|evtl|usw|inkl|p\. ?ex|p\. ?ej|т\.е|т\.д|т\.п|т\.к|напр|см|др|[A-Za-zА-Яа-я])\.$/;
/** The same before a number; else `no.` ends a sentence. */
const NUMBERED = /(?:^|[\s(])(?:no|fig)\.$/i;
/** Characters of the longest abbreviation with what stands before it. */
const ABBREVIATION_CHARS = 9;

/** Returns the offsets behind the sentences of a text in order, without the end of the text itself. */
export function sentenceEnds(text: string): number[] {
  const ends: number[] = [];
  for (const { index, 0: mark } of text.matchAll(END)) {
    const end = index + mark.length;
    if (end < text.length && !isAbbreviated(text, end)) ends.push(end);
  }
  return ends;
}

function isAbbreviated(text: string, end: number): boolean {
  const before = text.slice(Math.max(0, end - ABBREVIATION_CHARS), end);
  return ABBREVIATION.test(before) || (NUMBERED.test(before) && /^\s\d/.test(text.slice(end, end + 2)));
}
