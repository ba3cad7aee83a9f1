import { continuedEnd } from "./assignments.ts";
import { type Finder, found, isRandom, type Secret, type Test } from "./finder.ts";
import { looksRandom } from "./randomness.ts";
import { isStandIn } from "./stand-ins.ts";

const HEADER_VALUE =
  /\\{0,15}["'`]?\]?\s{0,3}(?:[:=,]|=>|:=)\s{0,3}\\{0,15}[bf]?["'`]?\s{0,2}(?:(?!Bearer\b)[A-Za-z][\w-]{1,24}\s{1,3}|Bearer\s{1,3})?(?:token=|Credential=|"|\\")?([\w.~+/=:%!-]{8,})/y;

/** Returns the credential after `Authorization`, with any scheme; `at` is the end of that word. */
function headerSecret(text: string, at: number): Secret | null {
  return authorization(
    text,
    at,
    HEADER_VALUE,
    (value) => !isStandIn(value) && (/\d|[+/=]/.test(value) || looksRandom(value)),
  );
}

const SCHEME =
  /(?:bearer|basic|token|apikey|api-key|ssws|digest|key)[ \t]{1,3}(?:["'`]\s{0,3}[+.&]\s{0,3})?\\{0,15}["']?([\w.~+/=:-]{16,})/iy;

/** The address of a blockchain contract, as in `ERC20 token 0x…`. */
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Returns the credential after `Bearer` and similar words without a header's name. */
function schemeSecret(text: string, at: number): Secret | null {
  return authorization(text, at, SCHEME, (value) => isRandom(value, "") && !ADDRESS.test(value));
}

function authorization(text: string, at: number, pattern: RegExp, test: Test): Secret | null {
  const secret = found(text, at, pattern, "authorization", test);
  return secret && { ...secret, end: continuedEnd(text, secret.end) };
}

/** Finders for credentials in headers, with and without a header's name. */
export const HEADER_FINDERS: readonly Finder[] = [
  {
    words: ["authorization", "Authorization", "AUTHORIZATION"],
    find: (text, at) => headerSecret(text, at + "authorization".length),
  },
  {
    words: ["bearer ", "Bearer ", "BEARER ", "Basic ", "basic ", "token ", "Token ", "SSWS ", "ApiKey "],
    startsWord: true,
    find: schemeSecret,
  },
];
