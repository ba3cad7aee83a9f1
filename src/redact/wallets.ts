import { looksMixed } from "./randomness.ts";
import type { Secret } from "./spans.ts";

/** What a key in the import format of wallets starts with: `5` and 50 more characters, or `K` or `L` and 51. */
const STARTS = "5H 5J 5K Kw Kx Ky Kz L1 L2 L3 L4 L5".split(" ");
const WIF =
  /(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|K[w-z][1-9A-HJ-NP-Za-km-z]{50}|L[1-5][1-9A-HJ-NP-Za-km-z]{50})(?![A-Za-z0-9])/y;

/** Includes the mark or blank before it, since two characters alone are too common. For the start of a line see `loneSecrets`. */
export const WALLET_TRIGGERS: readonly string[] = Array.from(" \t\"'`(:=", (mark) =>
  STARTS.map((start) => mark + start),
).flat();

/** The private key of a wallet, without a name. */
export function walletKey(text: string, at: number): Secret | null {
  WIF.lastIndex = at;
  const key = WIF.exec(text)?.[0];
  return key !== undefined && looksMixed(key)
    ? { start: at, end: at + key.length, kind: "private-key" }
    : null;
}
