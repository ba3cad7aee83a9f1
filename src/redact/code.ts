/** Harmless values beside names of secrets: paths, calls, identifiers, labels. */
import { isCamelPhrase, isDottedPhrase, isJoined, isMadeUp } from "./made-up.ts";
import { looksMixed, piecesOf, wordShare } from "./randomness.ts";

/** A path below the home directory or the working directory. */
const NEAR_PATH = /^(?:~|\.{1,2})[/\\][\w.@+/\\-]+$/;
/** The path of a source, settings or key file, with an optional line. */
const FILE =
  /^(?:[A-Za-z]:)?[/\\]?(?:[\w.@+[\]-]+[/\\])+[\w.@+[\]-]+\.(?:[cm]?[jt]sx?|json[c5]?|ya?ml|toml|ini|cfg|conf|env|md|mdx|rst|txt|html?|s?css|less|vue|svelte|astro|py|pyi|rb|rs|go|mod|sum|java|kts?|scala|groovy|gradle|swift|mm?|cs|fs|vb|php|pl|lua|ex|exs|erl|hs|ml|clj|dart|zig|cc?|cpp|hpp?|sql|sh|bash|zsh|fish|ps1|bat|cmd|tf|hcl|proto|graphql|xml|plist|lock|log|csv|snap|pem|key|crt|cer|p12|pfx|jks|pub)(?::\d+){0,2}$/i;
const NAME = "[A-Za-z_$][\\w$]*(?:(?:\\??\\.|::|->)[A-Za-z_$][\\w$]*)*";
/** A call: complete, cut by a blank or a bracket, or names joined as in code. */
const CALL = new RegExp(`^(${NAME})\\([^()]*(?:\\([^()]*\\)[^()]*)*\\)$`);
const CUT_CALL = new RegExp(`^(${NAME})\\([\\w$.,'"\`/:=-]*$`);
const SCOPED = /^[A-Za-z_$][\w$]*(?:(?:::|->)[A-Za-z_$][\w$]*)+(?:\(\))?$/;
const FLAG = /^--[a-z][a-z\d]*(?:-[a-z\d]+)*=?$/;
/** The name of a variable that says what it contains. */
const VARIABLE =
  /^(?:[A-Z]{2,}_)+(?:FILE|PATH|DIR|NAME|ENV|ID|URL|URI|TTL|KEY|KEYS|TOKEN|SECRET|PASSWORD|PASS|JWT|CREDENTIALS|PASSPHRASE|HEADER|COOKIE|PREFIX)$/;
/** Minimum share of a name that lies in words. */
const MIN_SHARE = 0.5;

/** Tells whether a value is a path, a call, a flag or joined names, which occur beside names of secrets in texts about code. */
export function isCode(value: string): boolean {
  if (NEAR_PATH.test(value) || VARIABLE.test(value) || isConstant(value)) return true;
  if (FILE.test(value)) return !value.split(/[/\\.:]/).some(looksMixed);
  if (SCOPED.test(value) || FLAG.test(value)) return isNamed(value);
  const closed = CALL.exec(value)?.[1];
  if (closed !== undefined) return isNamed(closed) && !hasRandomWord(value);
  const cut = CUT_CALL.exec(value)?.[1];
  return cut !== undefined && piecesOf(cut).length > 1 && isNamed(cut) && !hasRandomWord(value);
}

/** Tells whether a value is three or more words in capitals, as in a constant: `DEFAULT_SECRET_ROTATION_DAYS`. */
function isConstant(value: string): boolean {
  return /^[A-Z]{2,}(?:_[A-Z]{2,}){2,}(?:_V?\d{1,2})?$/.test(value) && wordShare(value) >= 0.7;
}

/** Tells whether a value is a pair of names without numbers: `sub=userId`, `auth/token`. */
function isPairOfNames(value: string): boolean {
  if (/\d/.test(value) || !/^[A-Za-z_$][\w$.-]*(?:[=/&?,:+][A-Za-z_$][\w$.-]*)+$/.test(value)) return false;
  return wordShare(value) >= MIN_SHARE;
}

/** Tells whether a text is a name. Unknown words such as `ipns` must not contain numbers. */
function isNamed(name: string): boolean {
  return !/\d/.test(name) || (wordShare(name) >= MIN_SHARE && !looksMixed(name));
}

function hasRandomWord(value: string): boolean {
  return value.split(/[^\w+-]+/).some(looksMixed);
}

const PATH =
  /^(?:\.{0,2}|~|[A-Za-z]:)?[/\\][\w.@-]+(?:[/\\][\w.@-]*)*$|^[\w@-][\w.@-]*(?:\/[\w.@-]+)*\/?[\w-]+\.[a-z]{2,6}$/;
export const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
/** An expression: a call, an index, or names joined by dots. */
export const EXPRESSION =
  /^(?:await |new |!|&|\*)?[A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$][\w$]*)*(?:[([].*|!?)$/;
export const CALL_FIRST = /^[A-Za-z_][\w.]*\([^()]*\)|^[A-Za-z_][\w.]*\([\w.]+\([^()]*\)|^&[\w.]+\{/;
export const DOTTED = /^[A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$][\w$-]*)+$/;

export function isAddressOrPath(value: string): boolean {
  if (ADDRESS.test(value)) return true;
  return (
    PATH.test(value) &&
    (wordShare(value) >= 0.5 || /\.(?:pem|key|crt|txt|json|ya?ml|env|p12|pfx|jks|cer)$/.test(value))
  );
}

/** Tells whether a value is dotted words that do not end in a number: `config.password`. */
export function isDottedWords(value: string): boolean {
  return (
    DOTTED.test(value) &&
    wordShare(value) >= 0.5 &&
    !(/\d$/.test(value) && isMadeUp(value)) &&
    !isDottedPhrase(value)
  );
}

/** Tells whether a value is words joined by `-`, `_`, `.` or capitals, with small numbers, as in identifiers. */
export function isIdentifier(value: string): boolean {
  if (!/^[A-Za-z][\w.:/-]*$/.test(value)) return false;
  const pieces = piecesOf(value);
  return (
    pieces.length > 1 &&
    wordShare(value) >= 0.6 &&
    pieces.every((piece) => !/^\d/.test(piece) || piece.length <= 4)
  );
}

export function isName(value: string): boolean {
  return isIdentifier(value) || isPairOfNames(value);
}

/** Tells whether a value is a displayed word or a type: only letters, one word or several in camel case. */
export function isLabel(value: string): boolean {
  if (isCamelPhrase(value) || isJoined(value)) return false;
  return /^[A-Za-z_$]+$/.test(value) && /^[A-Z]|[a-z][A-Z]|_/.test(value) && wordShare(value) >= 0.5;
}
