import type { Secret } from "./spans.ts";

const BASE64 = /[:=]\s{0,4}["']?([A-Za-z0-9+/]{20,2000}={0,2})(?![\w+/=.-])/y;

/** An address with a password that is encoded, as in the data of a secret of Kubernetes; `mark` precedes it. */
export function encodedAddress(text: string, mark: number): Secret | null {
  BASE64.lastIndex = mark;
  const value = BASE64.exec(text)?.[1];
  if (value === undefined) return null;
  const isAddress = /^[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,100}:[^\s@]{3,300}@/i.test(plainOf(value));
  const end = BASE64.lastIndex;
  return isAddress ? { start: end - value.length, end, kind: "password" } : null;
}

function plainOf(base64: string): string {
  return Buffer.from(base64, "base64").toString("latin1");
}
