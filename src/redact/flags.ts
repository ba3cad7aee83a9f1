import { found, valueBehind } from "./finder.ts";
import { looksMixed } from "./randomness.ts";
import type { Secret } from "./spans.ts";
import { isStandIn } from "./stand-ins.ts";

const SHORT_FLAG = /-[a-zA-Z][ =]\\*["']?(?!\/)([A-Za-z0-9_+/=-]{20,200})(?![\w./:-])/y;

const USER_FLAG = new RegExp(`-[aAuU][ =]${valueBehind("[^\\s:\"'=/]{1,80}:")}`, "y");

/** Finds a long random value after a flag of one letter, or a password after a user's name. */
export function flagSecret(text: string, at: number): Secret | null {
  const pair = found(text, at, USER_FLAG, "password", false);
  const isLikely = pair !== null && /(?=.*\d)(?=.*[A-Za-z]).{8}/.test(text.slice(pair.start, pair.end));
  return isLikely ? pair : randomFlag(text, at);
}

function randomFlag(text: string, at: number): Secret | null {
  SHORT_FLAG.lastIndex = at;
  const value = SHORT_FLAG.exec(text)?.[1];
  if (value === undefined || isStandIn(value) || !looksMixed(value)) return null;
  const end = SHORT_FLAG.lastIndex;
  return { start: end - value.length, end, kind: "secret" };
}
