import { isCode } from "./code.ts";
import { continuedEnd } from "./continued.ts";
import { looksRandom } from "./randomness.ts";
import type { Secret } from "./spans.ts";
import { isStandIn } from "./stand-ins.ts";

const HEADER_VALUE =
  /\\*["'`]?\]?\s{0,3}(?:[:=,]|=>|:=)\s{0,3}\\*[bf]?["'`]?\s{0,2}(?:(?!Bearer\b)[A-Za-z][\w-]{1,24}\s{1,3}|Bearer\s{1,3})?(?:token=|Credential=|"|\\")?([\w.~+/=:%!-]{8,})/y;

/** The credential behind `Authorization`, whatever its scheme; `at` is where the word ends. */
export function headerSecret(text: string, at: number): Secret | null {
  HEADER_VALUE.lastIndex = at;
  const match = HEADER_VALUE.exec(text);
  const value = match?.[1];
  if (!match || value === undefined || isStandIn(value)) return null;
  if (!/\d|[+/=]/.test(value) && !looksRandom(value)) return null;
  const end = HEADER_VALUE.lastIndex;
  return { start: end - value.length, end: continuedEnd(text, end), kind: "authorization" };
}

const SCHEME =
  /(?:bearer|basic|token|apikey|api-key|ssws|digest|key)[ \t]{1,3}(?:["'`]\s{0,3}[+.&]\s{0,3})?\\*["']?([\w.~+/=:-]{16,})/iy;

/** The address of a contract of a blockchain, as `ERC20 token 0x…` names it. */
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** The credential after `Bearer` and similar words when no header names it. */
export function schemeSecret(text: string, at: number): Secret | null {
  SCHEME.lastIndex = at;
  const value = SCHEME.exec(text)?.[1];
  if (value === undefined || isStandIn(value) || isCode(value) || !looksRandom(value) || ADDRESS.test(value))
    return null;
  const end = SCHEME.lastIndex;
  return { start: end - value.length, end: continuedEnd(text, end), kind: "authorization" };
}
