import { mayHoldTag, removePrivate } from "./private.ts";
import { redact } from "./redact.ts";

/** Removes private passages and secrets from a text. The result may be stored. */
export function cleanText(text: string): string {
  return redact(mayHoldTag(text) ? removePrivate(text) : text);
}
