import { codeAt } from "./classes.ts";
import { isInWord, isLikely, MAX_WORD, type Range, stripped, wordEnd } from "./pieces.ts";
import { looksMixed, looksRandom } from "./randomness.ts";
import type { Secret } from "./spans.ts";
import { isStandIn } from "./stand-ins.ts";

/** Marks that passwords are made with and that names, addresses, versions and Base64 hardly contain. */
const STRONG_MARK = /[!#$%^&*?~]/g;
/** Marks that other words contain too, within a value. */
const WEAK_MARK = /[A-Za-z\d+-][=@][\w+-]/;
const [MIN_STRONG, MAX_STRONG] = [8, 64];
/** A value with fewer marks is longer. */
const MIN_WITH_ONE_MARK = 10;

/** Code, an address, a pair of a query, a place in a file, emphasis, the form of a time, and what is percent-encoded. */
const NO_PASSWORD =
  /[()[\]{}\\]|:\/\/|\d\.\d+\.\d|^[./~]|\w=[^=&]*&\w+=|\/\S*\.\w+#|%[0-9A-F]{2}.*%[0-9A-F]{2}|<\/|\$\{|&&|\|\||[=!]==?\w|\?\.|&(?:amp|lt|gt|quot);|@[\w-]+\.[a-z]{2,}$|^\*\*|\*\*$|%[A-Za-z].?%[A-Za-z]|^[\w.-]+\/[\w.-]+#\d+$|M-|\^@|\$[A-Z]{1,2}\$\d|!\$?[A-Z]{1,2}\$?\d+:|^\w{1,2}(?:[*^+=-]\w{1,2}){3}/;
/** Words that examples of strong passwords hide behind digits and marks. */
const DISGUISED = /passw|secret|troub|letmein|welcome|qwert|changeme|example|admin|hunter|asdf/;

/** True for a value as only a password generator makes it: letters of both cases, digits and marks, and no words. */
export function isStrong(value: string): boolean {
  return strengthOf(value) > 0;
}

/** How many marks make a value one of a password generator; 0.5 for a weak mark, 0 for another value. */
function strengthOf(value: string): number {
  if (value.length < MIN_STRONG || value.length > MAX_STRONG) return 0;
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || !/\d/.test(value)) return 0;
  const marks = value.match(STRONG_MARK)?.length ?? 0;
  if (marks < 2 && value.length < MIN_WITH_ONE_MARK) return 0;
  if (marks === 0 && !(WEAK_MARK.test(value) && !value.includes(",") && looksMixed(value))) return 0;
  if (!/[A-Za-z\d]{3}/.test(value)) return 0;
  if (NO_PASSWORD.test(value) || isStandIn(value) || isDisguised(value) || !looksRandom(value)) return 0;
  return marks === 0 ? 0.5 : marks;
}

const DIGIT_LETTERS: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/** True for a word of examples that is written with digits and marks, as `P@ssw0rd1!`. */
export function isDisguised(value: string): boolean {
  return DISGUISED.test(value.toLowerCase().replace(/[013457@$!]/g, (char) => DIGIT_LETTERS[char] ?? char));
}

/**
 * Adds the values that only a password generator makes; `marks` are the places of marks between letters and digits. One with less
 * than two such marks counts near a word for a secret alone.
 */
export function addStrong(text: string, marks: readonly number[], found: Secret[]): void {
  let done = -1;
  for (const at of marks) {
    if (at < done) continue;
    const word = wordAround(text, at);
    done = word.end;
    if (word.start === word.end || !isLikely(text, word)) continue;
    const piece = stripped(text, word);
    if (isAlone(text, piece)) found.push({ ...piece, kind: "password" });
  }
}

/** Whether a piece is such a value without a name. */
function isAlone(text: string, { start, end }: Range): boolean {
  const strength = strengthOf(text.slice(start, end));
  return strength > 0 && !isPatch(text, start) && (strength >= 2 || isTold(text, start, end));
}

/** The characters of ASCII without a blank around a place; none of a word that is too long. */
function wordAround(text: string, at: number): Range {
  let start = at;
  while (at - start < MAX_WORD && isInWord(codeAt(text, start - 1))) start--;
  const end = at - start < MAX_WORD ? wordEnd(text, at) : at + MAX_WORD;
  return end - at < MAX_WORD ? { start, end } : { start: end, end };
}

/** Words for a secret, in many languages. */
const TOLD =
  /pass|pwd|\bpw|secret|token|cred|log ?in|\blogg|sign ?in|passphrase|kennwort|zugang|anmeld|contrase|clave|senha|wachtwoord|has[łl]o|mdp|парол|ключ|логин|パスワード|ログイン|密码|密碼|口令|비밀번호|비번|암호|auth|\bkey\b|\bpsk\b|\bpin\b|account|user|root|admin|identif|şifre|lösenord|heslo|mật khẩu|vault/i;
/** How far a word for a secret may be from its value. */
const [BACK, AHEAD] = [200, 120];

/** A line of a binary patch of git is written in Base85. */
function isPatch(text: string, start: number): boolean {
  return /\n(?:literal|delta) \d+\r?\n(?:[^\s]{20,70}\r?\n){0,8}$/.test(
    text.slice(Math.max(0, start - 600), start),
  );
}

function isTold(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - BACK), start);
  const lines = before.split("\n").slice(-3).join("\n");
  const line = /^[^\n]{0,120}/.exec(text.slice(end, end + AHEAD))?.[0] ?? "";
  return TOLD.test(lines) || TOLD.test(line);
}
