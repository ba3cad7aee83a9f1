import { mayHoldTag, removePrivate } from "./private.ts";
import { redact } from "./redact.ts";

/** Takes private passages and secrets out of a text: what is left may be stored. */
export function cleanText(text: string): string {
  return redact(mayHoldTag(text) ? removePrivate(text) : text);
}

/**
 * Cleans the start of a text, which may be megabytes long. Of one that goes on, the last word is left out: it may be a
 * piece of a secret that nothing tells from a word.
 */
export function cleanHead(text: string, maxChars: number, clean: (text: string) => string): string {
  if (text.length <= maxChars) return clean(text);
  const cleaned = clean(text.slice(0, maxChars).toWellFormed());
  return cleaned.slice(0, Math.max(0, cleaned.search(/\s\S*$/)));
}
