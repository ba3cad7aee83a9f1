import { composed, type Decoded, decoded, isColoured, withoutQuotes } from "./encoded.ts";
import { joined, type Secret } from "./finder.ts";
import { scan } from "./scan.ts";
import { addLoneSecrets } from "./second-factors.ts";

/** Maximum searches of a long text. Removing a secret may reveal another one after it. */
const MAX_ROUNDS = 4;
/** Number of characters to read in repeated searches of a shorter text. */
const MAX_READ = 40_000;

/** Returns the secrets in a text, in order: plain ones, and those hidden by escapes, colours or percent-encoding. */
export function findSecrets(text: string): Secret[] {
  const { secrets: found, isEscaped, isAccented } = scan(text);
  if (addLoneSecrets(text, found)) found.push(...mapped(withoutQuotes(text)));
  if (isAccented) found.push(...mapped(composed(text)));
  // A secret that was skipped may contain escapes.
  if (!isEscaped && found.length === 0) return found;
  for (const piece of decoded(text)) found.push(...mapped(piece));
  if (isColoured(text)) for (const piece of decoded(text, " ")) found.push(...mapped(piece));
  return found.length > 1 ? joined(found) : found;
}

/** Returns the secrets of a decoded text with their ranges in the original. */
function mapped({ text, source }: Decoded): Secret[] {
  return scan(text).secrets.map(({ start, end, kind }) => ({ ...source(start, end), kind }));
}

/**
 * Replaces the secrets in a text by `[redacted:<kind>]`: keys and tokens of services, private keys, passwords in URLs and
 * commands, and values with a telling name. Leaves a redacted text unchanged.
 */
export function redact(text: string): string {
  let result = text;
  for (let round = 0, read = 0; round < MAX_ROUNDS || read < MAX_READ; round++, read += result.length) {
    const secrets = findSecrets(result);
    if (secrets.length === 0) return result;
    const next = without(result, secrets);
    if (next === result) return result;
    result = next;
  }
  return result;
}

function without(text: string, secrets: readonly Secret[]): string {
  let result = "";
  let from = 0;
  for (const { start, end, kind } of secrets) {
    result += `${text.slice(from, start)}[redacted:${kind}]`;
    from = end;
  }
  return result + text.slice(from);
}
