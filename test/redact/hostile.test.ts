import { expect, test } from "bun:test";
import { cleanText } from "../../src/redact/clean.ts";
import { triggers } from "../../src/redact/scan.ts";

/** Pieces of texts that rules start at, go on with or stop at, one a word; each fills a text by itself. */
const PIECES = [
  ..."= : @ - _ . \\ % & < > \" ' ` | , ; ( ) [ ] { } $ 0 1 A x é 😀 \u200b \u00ad \u0000 \u001b".split(" "),
  ..."password= password: password| password, password? password[ password] password\\ passwords".split(" "),
  ...'key= "key": key: api_key= token= secret_ пароль 密码 パスワード： :// a:b@ http://a:b db:5432:'.split(
    " ",
  ),
  ...'*:*:*:*: \\n \\" %41 %25 %2525 \u001b[ \u001b[1m [1m &amp; &quot; &lt; <private <private> </private>'.split(
    " ",
  ),
  ..."X1a a_ a- sk-a ghp_a eyJa. -eyJ MII -MIIEpAIBAAKCAQEA LS0tLS1CRUdJTiB ${ $( {{ (( => -> || ??".split(
    " ",
  ),
  ..." ,\n,\t,\r\n,password ,password is ,password => ,password:\n,password: |\n ,password=\",password='a ,- ,> ,# ".split(
    ",",
  ),
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN PRIVATE KEY-----\nAAAA\n",
  "-----END PRIVATE KEY-----",
  "Private-Lines: 1\n",
  "MIIEpAIBAAKCAQEA: a\n",
  "name: password, value: ",
  "into t (password) values (",
  "echo x | ",
  "| password |",
  "| password |\n",
  "const password: string = ",
  "word ",
].filter((piece) => piece !== "");

/** The first line of a key without its heading. */
const KEY_START = "MIIEpAIBAAKCAQEA1234567890123456789012345678901234567890";

/** How many times longer the second text is, and how many times more work it may be: a square would be 64. */
const [LONGER, MAX_RATIO, SPARE_MS] = [8, 32, 5];
/** A busy machine may make one look slow. */
const TRIES = 5;
const CHARS = 1_500;

function workMs(text: string): number {
  const before = process.cpuUsage();
  cleanText(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The least work of a few tries; what the compiler and others do only adds to it. */
function minWorkMs(text: string): number {
  return Math.min(...Array.from({ length: 2 }, () => workMs(text)));
}

function isLinear(piece: string, before = "", chars = CHARS): boolean {
  const [short, long] = [chars, chars * LONGER].map(
    (length) => before + piece.repeat(Math.ceil(length / piece.length)),
  );
  const isFast = () => workMs(long ?? "") <= MAX_RATIO * minWorkMs(short ?? "") + SPARE_MS;
  return Array.from({ length: TRIES }).some(isFast);
}

test("a text of one piece again and again costs as much as it is long", () => {
  expect(PIECES.filter((piece) => !isLinear(piece))).toEqual([]);
});

/** What opens something, before blanks that never end. */
const OPENINGS = [
  ..."insert into t (password) values (,copy t (id,recovery codes:,password: |\n,password =,identified by ".split(
    ",",
  ),
  "insert into t (a, password) values ('b', ",
  "login ada password",
  "export DB_PASSWORD=",
];

test("so does one that never goes on behind what opens something", () => {
  const slow = OPENINGS.flatMap((before) =>
    [" ", "\t", "\n", "a", "a "].filter((piece) => !isLinear(piece, before)).map((piece) => [before, piece]),
  );
  expect(slow).toEqual([]);
});

test("so does one of what starts a rule", () => {
  // Words with one finder go the same way.
  const starts = new Map(triggers().map(({ find, text }) => [find, `${text}aB3`]));
  expect([...starts.values()].filter((piece) => !isLinear(piece))).toEqual([]);
});

/** Readers of quoted values step over backslashes, and those of keys over line breaks that are written out. */
test.each(["", "login ada password", "-----BEGIN PRIVATE KEY-----\n", KEY_START])(
  "a million backslashes and line breaks that are written out cost as much behind %j",
  (before) => {
    const isFast = (piece: string) =>
      [2_000, 16_000, 125_000].every((chars) => isLinear(piece, before, chars));
    expect(["\\", "\\n", "\\\\n", "\\r\\n", '\\"'].filter((piece) => !isFast(piece))).toEqual([]);
  },
);
