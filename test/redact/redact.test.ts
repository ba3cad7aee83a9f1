import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cleanHead } from "../../src/ingest/transcript/tools/values.ts";
import { cleanText } from "../../src/redact/clean.ts";
import { findSecrets, redact } from "../../src/redact/redact.ts";
import { fcOptions } from "../support/fast-check.ts";
import { generator } from "./generate.ts";
import { KEY_KINDS, KEY_PLACES } from "./keys.ts";
import { LOOK_ALIKES } from "./look-alikes.ts";
import { NAMED } from "./named.ts";
import { PLACES } from "./places.ts";
import { TOKENS } from "./tokens.ts";

const make = generator(20_260_302);

/** The longest piece of a secret that may be left: less than what anybody could search for. */
const MAX_LEFT = 8;

/** The pieces of a secret that are still in a text. */
function leftOf(secret: string, text: string): string[] {
  const kept = text.replace(/\[redacted:[\w-]+\]/g, "\n");
  const left: string[] = [];
  for (let at = 0; at === 0 || at + MAX_LEFT <= secret.length; at++) {
    const piece = secret.slice(at, at + MAX_LEFT);
    if (kept.includes(piece)) left.push(piece);
  }
  return left;
}

test("the tables have as many forms and look-alikes as were promised", () => {
  expect(TOKENS.length + NAMED.length + KEY_KINDS.length * KEY_PLACES.length).toBeGreaterThanOrEqual(400);
  expect(LOOK_ALIKES.length).toBeGreaterThanOrEqual(250);
});

describe("tokens", () => {
  test.each(TOKENS)("%s", (_, format) => {
    for (const [place, put] of PLACES) {
      const { text, secret } = make(format);
      expect([place, leftOf(secret, redact(put(text)))]).toEqual([place, []]);
    }
  });
});

describe("named secrets", () => {
  test.each(NAMED.map((format) => [format]))("%j", (format) => {
    for (const around of [
      ["", ""],
      ["see\n", "\nok"],
      ["- ", ""],
      ["> ", ""],
      ["  ", "\n\nThen go on."],
    ]) {
      const { text, secret } = make(format);
      expect(leftOf(secret, redact(text))).toEqual([]);
      expect(leftOf(secret, redact(around.join(text)))).toEqual([]);
    }
  });

  test.each(NAMED.filter((format) => !format.includes("\\")).map((format) => [format]))(
    "inside a JSON string: %j",
    (format) => {
      const { text, secret } = make(format);
      const written = JSON.stringify(secret).slice(1, -1);
      expect(leftOf(written, redact(JSON.stringify({ content: `a\n${text}\nb` })))).toEqual([]);
    },
  );
});

describe("private keys", () => {
  test.each(
    KEY_KINDS.flatMap(([name, start]) =>
      KEY_PLACES.map(([place, wrap]) => [name, place, start, wrap] as const),
    ),
  )("%s, %s", (name, _place, start, wrap) => {
    const body = make(`${start}{b64:30}{b64:64}{b64:64}{b64:64}{b64:40}`).text.match(/.{1,64}/g) ?? [];
    const lines = [`-----BEGIN ${name}-----`, ...body, `-----END ${name}-----`];
    const redacted = redact(`Look:\n${wrap(lines)}\nthat is all.`);
    for (const line of body) expect(leftOf(line, redacted)).toEqual([]);
    for (const line of body) expect(redacted).not.toContain(encodeURIComponent(line).slice(0, 20));
    expect(redacted).toEndWith("that is all.");
  });
});

describe("look-alikes", () => {
  test.each(LOOK_ALIKES.map((format) => [format]))("%j", (format) => {
    const { text } = make(format);
    expect(redact(text)).toBe(text);
    expect(redact(`before\n${text}\nbehind`)).toBe(`before\n${text}\nbehind`);
  });
});

test("what stands around a secret stays, and its kind is named", () => {
  const value = make("{b62:24}").text;
  expect(redact(`first DB_PASSWORD=${value} then`)).toBe("first DB_PASSWORD=[redacted:password] then");
  expect(redact(`{"api_key":"${value}","a":1}`)).toBe('{"api_key":"[redacted:api-key]","a":1}');
  expect(redact(`postgres://app:${value}@db/app`)).toBe("postgres://app:[redacted:password]@db/app");
  expect(redact(`a\u001b[32mgh` + `p_${make("{b62:36}").text}\u001b[0m b`)).toBe(
    "a\u001b[32m[redacted:github-token]\u001b[0m b",
  );
});

test.each([
  "AKIA{b32:4}00000000{b32:4}",
  "npm_{b62:4}00000000{b62:24}",
  "xoxb-100000000000-2000000000000-{b62:24}",
])("zeros in a row make no stand-in of a random token: %s", (format) => {
  const { text } = generator(7)(format);
  expect(redact(`push with ${text} then`)).toMatch(/^push with \[redacted:[\w-]+\] then$/);
});

test("a token that a line's end cut in two goes as a whole", () => {
  const [first, second] = [make("sk-ant-api03-{b62:60}").text, make("{b62:33}AA").text];
  expect(redact(`key:\n${first}\n${second}\nend`)).toBe("key:\n[redacted:anthropic-key]\nend");
});

test("several secrets in one text are each taken out", () => {
  const made = [...TOKENS.map(([, format]) => format), ...NAMED].map(make);
  const redacted = redact(made.map(({ text }) => text).join("\n\n"));
  for (const { secret } of made) expect(redacted).not.toContain(secret.slice(-10));
});

const pieces = fc.oneof(
  fc
    .constantFrom(...TOKENS.map(([, format]) => format), ...NAMED, ...LOOK_ALIKES)
    .map((format) => make(format).text),
  fc.constantFrom(
    "",
    " ",
    "\n",
    "-",
    "_",
    "=",
    ":",
    '"',
    "'",
    "\\",
    "\\n",
    "%",
    "é",
    "🙂",
    "a",
    "7",
    "://",
    "@",
  ),
  fc.string({ unit: "grapheme", maxLength: 8 }),
);
const texts = fc.array(pieces, { maxLength: 7 }).map((all) => all.join(""));

test("what is found lies in the text, in order and apart", () => {
  fc.assert(
    fc.property(texts, (text) => {
      let done = 0;
      for (const { start, end } of findSecrets(text)) {
        expect(start).toBeGreaterThanOrEqual(done);
        expect(end).toBeGreaterThan(start);
        done = end;
      }
      expect(done).toBeLessThanOrEqual(text.length);
    }),
    fcOptions(),
  );
});

test("twice is as good as once", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const once = redact(text);
      expect(redact(once)).toBe(once);
    }),
    fcOptions(),
  );
});

test("a list of logins is followed to its end", () => {
  const users = Array.from({ length: 30 }, (_, i) => `    user${i}:`);
  const made = users.map((user) => make(`${user}{b62:14}`).text);
  expect(redact(`chpasswd:\n  list: |\n${made.join("\n")}\n`)).toBe(
    `chpasswd:\n  list: |\n${users.map((user) => `${user}[redacted:password]`).join("\n")}\n`,
  );
});

test("private passages go with the secrets", () => {
  expect(cleanText("a <private>b</private> c PASSWORD=hunter22")).toBe("a  c PASSWORD=[redacted:password]");
});

test("of a text that is cut, no piece of a secret is left", () => {
  const { text: token } = make("ghp_{b62:36}");
  for (let shown = 0; shown <= token.length; shown++) {
    const text = `error: denied\nfor ${token} here and there`;
    const head = cleanHead(text, "error: denied\nfor ".length + shown, redact);
    expect(leftOf(token.slice(0, 12), head)).toEqual([]);
  }
});

test("the name of a variable stays where a sentence says what its value is for", () => {
  const redacted = redact(make("here's the npm side: NPM_TOKEN=npm_{b62:36} for the repo secrets").text);
  expect(redacted).toBe("here's the npm side: NPM_TOKEN=[redacted:token] for the repo secrets");
});
