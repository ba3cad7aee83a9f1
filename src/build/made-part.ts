const END = "<!-- End -->";

/** Returns a text in which what stands between `start` and the next mark of the end is `made`. Throws without the marks. */
export function madePart(markdown: string, start: string, made: string): string {
  const from = markdown.indexOf(start);
  const to = markdown.indexOf(END, from);
  if (from < 0 || to < from) throw new Error(`the text has no ${start.trim()} with ${END} after it`);
  return `${markdown.slice(0, from + start.length)}${made}${markdown.slice(to)}`;
}
