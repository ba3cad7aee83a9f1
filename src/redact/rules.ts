/**
 * Parses the table of rules, `rules.txt`. Each line has the kind of secret, the judge of its value, the signs that start it, and
 * the pattern from there on, whose first group is the secret.
 */
import { cookieAfter, cookieIn, cookieUpTo } from "./cookies.ts";
import { type Finder, firstGroup, found, isPlausible, isRandom, type Secret, valueBehind } from "./finder.ts";
import { isTelling } from "./generated.ts";
import { hasWordOfCode, isCamelPhrase, isCoupled, isJoined, isMadeUp, isPhrase } from "./made-up.ts";
import { PASSWORD } from "./names.ts";
import { isBytes } from "./private-keys.ts";
import table from "./rules.txt" with { type: "text" };
import { isStandIn } from "./stand-ins.ts";
import { tokenFinder } from "./tokens.ts";
import { isSecretValue, type Place } from "./values.ts";

/** A byte in decimal or hex. */
const BYTE = "(?:0x[0-9a-fA-F]{1,2}|\\d{1,3})";
/** The name of a cookie, with or without quotes, and the value of one. */
const COOKIE = `\\\\{0,15}["'\`]?([\\w.$-]{1,100})\\\\{0,15}["'\`]?`;
const STRING = `\\\\{0,15}["'\`]([^"'\`\\s\\\\]{14,4000})\\\\{0,15}["'\`]`;

/**
 * Patterns by their names between `⟨` and `⟩`. `⟨value x⟩` is a value after x, with quotes around both or neither, and
 * `⟨argument 2⟩` the third argument of a call.
 */
const PARTS: Readonly<Record<string, string>> = {
  args: "[^\\n|;]{0,300}?",
  line: "[^\\n]{0,200}",
  text: `\\\\{0,15}(?:"([^"\\n]{5,300}?)\\\\{0,15}"|'([^'\\n]{5,300}?)\\\\{0,15}')`,
  word: "([^\\s\"'`/()[\\]{}]{8,64}?)(?=[.,;!?]?(?:[\\s\"'`)]|$))",
  pass: "(?:pass(?:word|wd|phrase|code|wort)?|pw|pwd|psk|mdp|mot de passe|kennwort|contrase(?:ñ|n)a|clave|palavra-passe|senha|parola(?: d'ordine)?|wachtwoord|hasło|haslo|heslo|lösenord(?:et)?|adgangskode[n]?|passord(?:et)?|salasana[n]?|jelszó|şifre|parol[aă]|пароль)",
  user: "(?:[\\w.@+-]{2,60}(?: / |:| and | und | et | y | e |, ))?",
  bytes: `(${BYTE}(?:\\s{0,8},\\s{0,12}${BYTE}){7,255})`,
  cookie: COOKIE,
  string: STRING,
  pair: `[nN]ame(?: raw)?["']?\\s{0,4}[:=]\\s{0,4}${COOKIE},[^{}]{0,200}?(?:[vV]alue|Content raw)["']?\\s{0,4}[:=]\\s{0,4}${STRING}`,
  b62: "[A-Za-z0-9]",
  b64: "[A-Za-z0-9+/]",
  url: "[\\w-]",
  hex: "[0-9a-fA-F]",
  uuid: "[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}",
  // A long value after the name of an environment, with an early digit, but not the hash of a commit or image.
  keyed: "(?!(?:[0-9a-f]{7,32}|[0-9a-f]{40}|[0-9a-f]{64})(?![A-Za-z0-9]))(?=[A-Za-z_-]{0,20}\\d)[\\w-]{20,}",
  name: "(?:PASS|SECRET|TOKEN|API_?KEY|[Pp]assw|secret|token|api_?key)",
};

/** An argument of a call that is no secret, and what may convert the secret one. */
const ARGUMENT = `(?:[^"'\\n()]{0,60}|\\{[^{}\\n]{0,120}\\}|\\\\{0,15}"[^"\\n]{0,120}"(?:\\.\\w{2,12}\\(\\))?|\\\\{0,15}'[^'\\n]{0,120}')`;
const CONVERTED =
  "(?:[bBrR]|\\[\\]byte\\(|Some\\(|bytes\\.fromhex\\(|(?:binascii\\.)?unhexlify\\(|hex2bin\\(|atob\\(|Encoding\\.\\w{3,7}\\.GetBytes\\(|(?:base64\\.)?b64decode\\(|Buffer\\.from\\()?";

function expanded(pattern: string, signs: readonly string[]): string {
  return pattern.replace(/⟨(\w+) ?([^⟩]*)⟩/g, (_, name: string, rest: string) => {
    if (name === "sign") return `(?:${signs.map((sign) => RegExp.escape(sign)).join("|")})`;
    if (name === "argument")
      return `(?:new\\s)?[\\w.:>-]{2,40}[\\s=]{0,3}\\(\\s{0,20}(?:${ARGUMENT},\\s{0,20}){${rest}}${CONVERTED}${PARTS.text}`;
    return name === "value" ? valueBehind(rest) : (PARTS[name] ?? "");
  });
}

/** Tells whether words are a password, also two words joined by a symbol. */
export function isTellingOrCoupled(value: string): boolean {
  return isTelling(value) || isCoupled(value);
}

/** Tells whether words are a password, also lower-case words joined by symbols. */
export function isTellingOrJoined(value: string): boolean {
  return isTelling(value) || isJoined(value);
}

/** Judges of a rule's value, by the symbol after its kind. Without one, any value except a placeholder counts. */
const JUDGES: Readonly<Record<string, (value: string) => boolean>> = {
  "!": isTelling,
  "+": isTellingOrCoupled,
  "=": isTellingOrJoined,
  "~": (value) => isTellingOrJoined(value) || (isMadeUp(value) && !hasWordOfCode(value)),
};

/** Returns the secret in the first group of a pattern if a judge accepts it as a password. */
export function judged(
  text: string,
  at: number,
  pattern: RegExp,
  { kind, isValue }: { kind: string; isValue: (value: string) => boolean },
): Secret | null {
  const place = firstGroup(text, at, pattern);
  if (place === null) return null;
  const value = text.slice(place.start, place.end).replace(/[.,;)]+$/, "");
  if (!isValue(value)) return null;
  const isSecret = isSecretValue(value, PASSWORD, "statement") || (isJoined(value) && !isStandIn(value));
  return isSecret ? { start: place.start, end: place.start + value.length, kind } : null;
}

/** Returns the secret in the first group of a pattern if it looks like a password in its place. */
function standing(text: string, at: number, pattern: RegExp, place: Place): Secret | null {
  return found(
    text,
    at,
    pattern,
    "password",
    (value) => isSecretValue(value, PASSWORD, place) || isWords(value),
  );
}

/** Tells whether a value is password words without a number: in a row, in camel case or joined by a symbol. */
function isWords(value: string): boolean {
  return isPhrase(value) || isCamelPhrase(value) || (isJoined(value) && !isStandIn(value));
}

/**
 * Returns an argument of a call that looks like a password, or contains something that names do not: an unusual character, or a
 * digit among capitals.
 */
function argument(text: string, at: number, pattern: RegExp): Secret | null {
  const secret = standing(text, at, pattern, "statement");
  if (secret) return secret;
  const odd = standing(text, at, pattern, "quoted");
  const value = odd === null ? "" : text.slice(odd.start, odd.end);
  return /[A-Z]\d[A-Z]{3}|\d.*[^\w-]|[^\w-].*\d/.test(value) ? odd : null;
}

type Judge = (text: string, at: number, pattern: RegExp) => Secret | null;

/** Judges of a whole match, by the place in which the secret is. */
const PLACES: Readonly<Record<string, Judge>> = {
  argument,
  bytes: (text, at, pattern) => found(text, at, pattern, "private-key", isBytes),
  cookie: cookieIn,
  cookies: cookieAfter,
  braces: (text, at, pattern) => cookieUpTo(text, at, pattern, "}"),
  brackets: (text, at, pattern) => cookieUpTo(text, at, pattern, "]"),
  parentheses: (text, at, pattern) => cookieUpTo(text, at, pattern, ")"),
};

function judgeOf(kind: string, test: string, place: string): Judge {
  const known = PLACES[place];
  if (known) return known;
  if (place !== "") return (text, at, pattern) => standing(text, at, pattern, place as Place);
  const isValue = JUDGES[test];
  if (isValue) return (text, at, pattern) => judged(text, at, pattern, { kind, isValue });
  return (text, at, pattern) => found(text, at, pattern, kind, test === "?" ? isRandom : isPlausible);
}

const ROW = /^([\w-]+)([?!+=~]?|\*\??)(?::(\w+))? ((?:"(?:[^"\\]|\\.)*" )+)\/(.*)\/(\w*)$/;
const SIGN = /"(?:[^"\\]|\\.)*"/g;
/** Prefix of a sign that may start inside a word. */
const ANYWHERE = "…";
/** Mark of a token with a known prefix: the pattern is that of the rest, and the prefix belongs to the secret. */
const TOKEN = "*";

/** Finders of the rules, and commands that print a secret, as sign and rest. */
export const RULES: Finder[] = [];
export const PRINTING: [sign: string, rest: string][] = [];

for (const line of table.split(/\r?\n/)) {
  const [, kind = "", test = "", place = "", list = "", pattern = "", flags = ""] = ROW.exec(line) ?? [];
  if (kind === "") continue;
  const signs = (list.match(SIGN) ?? []).map((sign) => String(JSON.parse(sign)));
  const words = signs.map((sign) => (sign.startsWith(ANYWHERE) ? sign.slice(1) : sign));
  const source = expanded(pattern, words);
  if (kind === "prints") PRINTING.push(...words.map((word): [string, string] => [word, source]));
  else if (test.startsWith(TOKEN))
    RULES.push(...words.map((word) => tokenFinder(word, kind, source, test !== TOKEN)));
  else {
    const judge = judgeOf(kind, test, place);
    let made: RegExp | undefined;
    const find = (text: string, at: number) => {
      made ??= new RegExp(source, flags.includes("g") ? flags : `${flags}y`);
      return judge(text, at, made);
    };
    RULES.push({ words, startsWord: !signs[0]?.startsWith(ANYWHERE), find });
  }
}
