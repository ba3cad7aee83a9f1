import { removePrivate } from "./private.ts";
import { redact } from "./redact.ts";

/** Takes private passages and secrets out of a text: what is left may be stored. */
export function cleanText(text: string): string {
  return redact(text.includes("<") ? removePrivate(text) : text);
}
