import { type Finder, finder } from "./finder.ts";
import { looksMixed, looksRandom } from "./randomness.ts";
import type { Secret } from "./spans.ts";
import { isStandIn } from "./stand-ins.ts";

/** A call that joins string literals, with what separates them first or not at all: `implode('', ['a', 'b'])`. */
const JOINING =
  /[\w.:]{2,20}\(\s{0,4}(?:(?:""|''),\s{0,4})?(?:\[\]string\s?|new\s\w{0,10}\[\]\s?)?[[({]?\s{0,20}((?:["'`][\w.+/=-]{3,200}["'`](?:\s{0,4},\s{0,20}(?=["'`]))?){2,20})/y;

function joinedPieces(text: string, at: number): Secret | null {
  JOINING.lastIndex = at;
  const pieces = JOINING.exec(text)?.[1];
  const whole = pieces?.replace(/["'`]\s*,?\s*["'`]?/g, "");
  if (pieces === undefined || whole === undefined || whole.length < 16) return null;
  if (!looksMixed(whole) || isStandIn(whole)) return null;
  return { start: JOINING.lastIndex - pieces.length, end: JOINING.lastIndex, kind: "token" };
}

const CODES =
  /(?:chr|CHR|Chr|char|CHAR)\(\d{2,3}\)(?:\s{0,3}(?:[.+,&]|\|\|)\s{0,3}(?:chr|CHR|Chr|char|CHAR)\(\d{2,3}\)){5,200}/y;

/** The codes of characters, one by one: `chr(75) . chr(57) . …`. */
function characterCodes(text: string, at: number): Secret | null {
  CODES.lastIndex = at;
  const codes = CODES.exec(text)?.[0];
  const plain = (codes?.match(/\d+/g) ?? []).map((code) => String.fromCharCode(Number(code))).join("");
  const isSecret = looksRandom(plain) || /^(?=.*\d)(?=.*[A-Za-z])[!-~]{6,}$/.test(plain);
  return codes !== undefined && isSecret ? { start: at, end: CODES.lastIndex, kind: "secret" } : null;
}

/** The characters of a value as a list behind its name: `pw[] = {'a', 'b', 'c'}`. */
const CHARACTERS =
  /[^\n"'`=]{0,24}(?:=|:)\s{0,4}(?:[^\n"'`=]{0,24}|''\.join\()[[{(]\s{0,8}((?:'[^'\n\\]'|"[^"\n\\]")(?:\s{0,4},\s{0,8}(?:'[^'\n\\]'|"[^"\n\\]")){5,200})/y;

/** The list of characters that a name is given which ends at a place. */
export function listedCharacters(text: string, nameEnd: number): { start: number; end: number } | null {
  CHARACTERS.lastIndex = nameEnd;
  const list = CHARACTERS.exec(text)?.[1];
  return list === undefined ? null : { start: CHARACTERS.lastIndex - list.length, end: CHARACTERS.lastIndex };
}

const SUBJECT = "(?:cred|secret|passw|passphrase|token|\\bkey|api_?key|kubeconfig|\\.env\\b)";

/** Secrets that code joins or that are written in another way. */
export const SPELLED_FINDERS: readonly Finder[] = [
  {
    words: [
      ...["implode(", ".join([", ".join((", ".join({", "join('", 'join("', ".Join("],
      ...["concat(", "Concat(", "CONCAT(", "Enum.join(", "paste0("],
    ],
    find: joinedPieces,
  },
  { words: ["chr(", "CHR(", "Chr(", "CHAR("], find: characterCodes },
  // What is packed says what it holds, as `base64 of creds.json → …` does.
  finder(["H4sIA"], "secret", new RegExp(`(?<=${SUBJECT}[^\\n]{0,60})(H4sIA[\\w+/=-]{40,20000})`, "iy")),
  finder(
    ["ase64 of ", "ase64 for ", "ex of ", "ot13 of ", "gzip of ", "ncoded ", "eversed ", "umped "],
    "secret",
    new RegExp(
      `\\w{2,8} (?:(?:of|for) )?(?![^\\n:=→]{0,60}(?:public|hash|digest|fingerprint))[^\\n:=→]{0,40}?${SUBJECT}[^\\n:=→]{0,40}?(?:\\s?(?:→|->|=>|:|=)|\\sis)\\s{0,4}["'\`]?([\\w+/=%.~-]{14,4000})`,
      "iy",
    ),
    true,
  ),
];
