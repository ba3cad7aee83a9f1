/** Values after flags of any program, and output of commands. */
import {
  atWordStarts,
  type Finder,
  finder,
  firstGroup,
  found,
  isPlausible,
  isRandom,
  type Secret,
  valueBehind,
} from "./finder.ts";
import { isCamelPhrase, isCoupled, isMessage } from "./made-up.ts";
import { PASSWORD } from "./names.ts";
import { looksMixed, looksRandom } from "./randomness.ts";
import { PRINTING } from "./rules.ts";
import { isStandIn } from "./stand-ins.ts";
import { isSecretValue } from "./values.ts";

const SHORT_FLAG = /-[a-zA-Z][ =]\\{0,15}["']?(?!\/)([A-Za-z0-9_+/=-]{20,200})(?![\w./:-])/y;

const USER_FLAG = new RegExp(`-[aAuU][ =]${valueBehind("[^\\s:\"'=/]{1,80}:")}`, "y");

/** Finds a long random value after a flag of one letter, or a password after a user's name. */
function flagSecret(text: string, at: number): Secret | null {
  const login = "pPwW".includes(text[at + 1] ?? " ") ? loginFlag(text, at) : null;
  if (login) return login;
  const pair = found(text, at, USER_FLAG, "password", isPlausible);
  const isLikely = pair !== null && /(?=.*\d)(?=.*[A-Za-z]).{8}/.test(text.slice(pair.start, pair.end));
  if (isLikely) return pair;
  const isKey = (value: string) => !isStandIn(value) && looksMixed(value) && !/^RW[^R]/.test(value);
  return found(text, at, SHORT_FLAG, "secret", isKey);
}

/** A password after `-u user -p`, for any program. */
const LOGIN_FLAG = /[-/](?:[pPwW]|rp|pw|pwd)[ =:]\\{0,15}["']?([^\s"']{5,100})/y;
const USER_BEFORE =
  /\s(?:-[uUlDnp]|--?user(?:name)?|--login|\/r?u|\/user)[ =:]["']?[^\s"']{1,60}["']?\s(?:[^\n|;]{0,40}\s)?$/;

function loginFlag(text: string, at: number): Secret | null {
  const isPassword = (value: string) =>
    isSecretValue(value, PASSWORD, "statement") && USER_BEFORE.test(text.slice(Math.max(0, at - 130), at));
  return found(text, at, LOGIN_FLAG, "password", isPassword);
}

const COMMANDS = PRINTING.map(([word]) => word);
const ALL = PRINTING.map(([word, rest]) => `${RegExp.escape(word)}${rest}`).join("|");
const COMMAND = `(?:${ALL})\\r?\\n[ \\t]*`;
/** Excludes a path or a host, the output of a command that prints no secret. */
const PLAIN = "(?![a-z0-9-]+(?:\\.[a-z0-9-]+){2,}(?:\\s|$))";

/** A word that is the whole output of a command, in quotes or before a shell prompt, which may follow at once. */
const ALONE = new RegExp(
  `${COMMAND}${PLAIN}["']?([^\\s"'$%]{6,4000})["']?(?:[%$#] ?)?[ \\t]*(?:\\r?\\n|$)`,
  "y",
);

/** Commands that show the contents of a vault, whatever they look like. */
const SHOWN =
  /pass show|op read|bw get password|gopass|rbw get|security find-|secret-tool lookup|keyring get|lpass show|keepassxc-cli/y;

function isShown(text: string, at: number, value: string): boolean {
  SHOWN.lastIndex = at;
  return SHOWN.test(text) && /^[\p{L}_.-]{8,60}$/u.test(value) && !isMessage(value);
}

function printedAlone(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, ALONE);
  if (place === null) return null;
  const value = text.slice(place.start, place.end);
  if (isShown(text, at, value) && !isStandIn(value)) return { ...place, kind: "password" };
  const isLikely = /\d/.test(value) || looksRandom(value) || isCoupled(value) || isCamelPhrase(value);
  if (!isLikely || isStandIn(value) || !isSecretValue(value.slice(0, 100), PASSWORD, "flag")) return null;
  return { ...place, kind: "secret" };
}

/** Finders for the output of commands that print a secret, alone, first or as JSON, and for flags. */
export const COMMAND_FINDERS: readonly Finder[] = [
  ...atWordStarts([
    { words: COMMANDS, find: printedAlone },
    finder(
      COMMANDS,
      "secret",
      new RegExp(`${COMMAND}${PLAIN}([\\w+/=.~!@#$%^*?&:()-]{8,4000})(?=\\s|$)`, "y"),
      isRandom,
    ),
    finder(
      COMMANDS,
      "secret",
      new RegExp(
        `(?:${ALL})\\r?\\n(?:[^\\n]{0,200}\\n){0,8}?[^\\n]{0,200}?"(?:Value|value|SecretString|keyString)"\\s?:\\s?"([^"\\n]{6,4000})"`,
        "y",
      ),
      isRandom,
    ),
  ]),
  // Flags of two letters, or with a colon or a slash, as on Windows.
  {
    words: [" /p ", " /p:", " /rp ", " -p:", " -pw ", " -pwd "],
    find: (text, at) => loginFlag(text, at + 1),
  },
  {
    words: Array.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", (letter) => [
      ` -${letter} `,
      ` -${letter}=`,
    ]).flat(),
    find: (text, at) => flagSecret(text, at + 1),
  },
];
