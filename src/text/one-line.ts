/** Returns a text on one line: each run of white space becomes one space. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Anything but single spaces between words. */
const UNEVEN = /[^\S ]| {2}|^ | $/;
/** White space other than a single space. */
const RUN = /[^\S ]\s*| \s+/g;

/** Returns the text on one line, with single spaces between words. */
export function evenly(text: string): string {
  return UNEVEN.test(text) ? text.replace(RUN, " ").trim() : text;
}
