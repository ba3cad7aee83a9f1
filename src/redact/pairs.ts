import { type Finder, finder } from "./finder.ts";
import type { Secret } from "./spans.ts";
import { isStandIn } from "./stand-ins.ts";

const HASHED = /["']([^"'\n]{4,200})["']\s{0,3}\|\s{0,3}$/;

/** A value before a template's filter that hashes it. */
function hashedBefore(text: string, at: number): Secret | null {
  const before = text.slice(Math.max(0, at - 220), at);
  const value = HASHED.exec(before);
  if (value?.[1] === undefined || isStandIn(value[1])) return null;
  const start = at - before.length + value.index + 1;
  return { start, end: start + value[1].length, kind: "password" };
}

/** Secrets whose name follows or surrounds them. */
export const PAIR_FINDERS: readonly Finder[] = [
  { words: ["password_hash("], find: hashedBefore },
  finder(
    ["env::var("],
    "secret",
    /env::var\(\s{0,4}"(?=[A-Z0-9_]{0,60}(?:PASS|PASSWORD|PWD|SECRET|TOKEN|KEY)")[A-Z0-9_]{1,80}"\)[^;\n]{0,80}?unwrap_or(?:_else)?\((?:\|\w{0,10}\|\s{0,4})?"([^"\n]{5,300})"/y,
  ),
  finder(
    ["chpasswd:"],
    "password",
    /chpasswd:[ \t]*\r?\n(?:[^\n]*\n){0,2}?[ \t]*list:[^\n]*\n(?:[ \t-]*[\w.-]{1,40}:\[redacted:password\]\r?\n)*[ \t-]*[\w.-]{1,40}:([^\s"']{5,200})/y,
  ),
  // The new value in the plan of a change, and the rest of a value whose pieces code joins.
  finder(
    ["[redacted:"],
    "secret",
    /\[redacted:[\w-]{1,20}\]\\*"\s{0,4}(?:->|replace)\s{0,4}\\*"([^"\n]{5,300}?)\\*"/iy,
  ),
  finder(
    ["[redacted:"],
    "secret",
    /\[redacted:[\w-]{1,20}\]["'`]\s{0,4}\+\s{0,4}["'`]([\w+/=-]{10,200})["'`]/y,
    true,
  ),
  finder(
    ["ParameterValue"],
    "secret",
    /(?<=ParameterKey["']?\s{0,4}[:=]\s{0,4}["']?[\w.-]{0,60}(?:pass(?:word)?|secret|token|key)["']?[,\s][^\n]{0,60}\n?[\s,"']{0,20})ParameterValue["']?\s{0,4}[:=]\s{0,4}["']?([^\s"',}]{5,300})/iy,
  ),
  finder(
    ["random_password"],
    "password",
    /random_password[^}]{0,300}?\bresult\s{0,20}=\s{0,4}"([^"\n]{5,200})"/y,
  ),
  finder(
    ['"github-oauth"', '"gitlab-token"', '"bearer"'],
    "token",
    /"(?:github-oauth|gitlab-token|bearer)"\s{0,4}:\s{0,4}\{\s{0,20}"[^"\n]{1,100}"\s{0,4}:\s{0,4}"([^"\n]{16,300})"/y,
  ),
  finder(
    ["Unseal Key", "Recovery Key"],
    "vault-key",
    /(?:Unseal|Recovery) Key \d{1,2}:\s{1,4}([\w+/=]{32,200})/y,
  ),
  finder(["appid="], "api-key", /(?<=[?&])appid=([0-9a-f]{32})(?!\w)/y),
  finder(
    ["npmAuthIdent"],
    "password",
    /npmAuthIdent["']?\s{0,4}[:=]\s{0,4}["']?([\w.@-]{1,60}:[^\s"']{5,200}|[\w+/=]{16,200})/y,
  ),
  finder(
    ["BUNDLE_"],
    "password",
    /BUNDLE_[A-Z0-9_]{1,100}__[A-Z]{2,20}["']?\s{0,4}[:=]\s{0,4}["']?([\w.@-]{1,60}:[^\s"'/]{5,200})/y,
  ),
  finder(["::add-mask::", "##[add-mask]"], "secret", /(?:::add-mask::|##\[add-mask\])([^\s"'`$)]{5,300})/y),
  finder(["issecret=true]", "isSecret=true]"], "secret", /is[sS]ecret=true\]([^\s"'`$]{5,300})/y),
];
