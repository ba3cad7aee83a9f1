import { mayHoldTag, removePrivate } from "./private.ts";
import { redact } from "./redact.ts";

/** Removes private passages and secrets from a text. The result may be stored. */
export function cleanText(text: string): string {
  return redact(mayHoldTag(text) ? removePrivate(text) : text);
}

/**
 * Cleans the start of a text that may be megabytes long. If the text continues, drops the last word, which may be the start of a
 * secret.
 */
export function cleanHead(text: string, maxChars: number, clean: (text: string) => string): string {
  if (text.length <= maxChars) return clean(text);
  const cleaned = clean(text.slice(0, maxChars).toWellFormed());
  return cleaned.slice(0, Math.max(0, cleaned.search(/\s\S*$/)));
}
