const URL = /\bhttps?:\/\/[^\s<>"'`\\^{}|]+/gi;

/** Returns the web addresses in a text, in order, without trailing punctuation and closing brackets. */
export function urlsIn(text: string): string[] {
  if (!text.includes("://")) return [];
  return Array.from(text.matchAll(URL), ([found]) => trimUrl(found)).filter(
    (url) => url.length > "https://".length,
  );
}

function trimUrl(found: string): string {
  let url = found.replace(/[.,;:!?*_]+$/, "");
  // A closing bracket belongs to the address only when it was opened inside it.
  while (/[)\]]$/.test(url) && !opens(url)) url = url.slice(0, -1).replace(/[.,;:!?]+$/, "");
  return url;
}

function opens(url: string): boolean {
  const [open, close] = url.endsWith(")") ? ["(", ")"] : ["[", "]"];
  return url.split(open).length >= url.split(close).length;
}
