import { describe, expect, test } from "bun:test";
import { redact } from "../../src/redact/redact.ts";

/** Forms, with the secret in the place of `V`: names that end in AUTH, lists of pairs, tables of vaults, logs, chats. */
const FORMS: readonly (readonly [form: string, secret: string])[] = [
  ["REDIS_AUTH=V", "BlueHorse77!"],
  ['export MQTT_AUTH="V"', "OldBarn58!"],
  ["Server=db1;Password=V", "BlueHorse77!"],
  ["it was Server=db1;Password=V and it worked", "BlueHorse77!"],
  ["user:ada,password:V", "BlueHorse78!"],
  ["{user:ada,password:V}", "BlueHorse78!"],
  ["cache.redis.test:6380,password=V,ssl=True", "k3yboardCat"],
  ["DB_PASSWORD=V", "MySecretPass2024!"],
  ["password: V", "MyAdminLogin2023!"],
  ["token? password=V", "HookSecretQ7z9"],
  ["====== Data ======\nKey       Value\n---       -----\nstripe    V\nhost      db1", "Zq8rT2mV9xK4"],
  ["====== Data ======\nKey       Value\n---       -----\nhost      db-primary\nstripe    V", "Zq8rT2mV9xK4"],
  [
    "┌─────────────┬────────────────┐\n│ NAME        │ VALUE          │\n├─────────────┼────────────────┤\n│ STRIPE_LIVE │ V │\n└─────────────┴────────────────┘",
    "Zq8rT2mV9xK4b7",
  ],
  ["12:01:03 SONAR: V", "7f3K9xQ2mV8rT4bL"],
  ['expect "assword:"\nsend "V\\r"', "BlueHorse77!"],
  ["guest wifi pw V", "kettledrum42"],
  ["log in with admin / V on staging", "kettleDrum42"],
  ["a jelszavam V", "kettledrum42"],
  ["Az adatbázis jelszava: V", "KettleDrum42"],
  [
    "the wallet's twelve words are V ok?",
    "ripple canyon velvet orbit tunnel maple copper lantern gravel willow sunset harbor",
  ],
  ["root password changed to V", "BlueHorse77!"],
  ["the API key is V", "k9Xw3Qe7"],
  ["password :  V", "kettledrum42"],
  ["users:\n- name: ada\n  user:\n    token: V", "Zq8rT2mV9xK4b7Lw"],
  ["Try password V on staging", "kettledrum42"],
];

describe("secrets in lists, tables, logs and chats", () => {
  test.each(FORMS)("%j", (form, secret) => {
    for (const around of ["V", "see\nV\nok", "> V"].map((place) => place.replace("V", () => form)))
      expect(redact(around.replace(/\bV\b/, () => secret))).not.toContain(secret);
  });
});

describe("what stands in such places and is none", () => {
  test.each([
    "HTTP_AUTH=enabled",
    "SMTP_AUTH=plain",
    "connect(host=h,password=password,port=5432)",
    "connect(host=h,password=db_password,port=5432)",
    "const {user:u,password:p}=login",
    "Key       Value\n---       -----\nhost      db-primary-2\nregion    eu-west-1",
    "│ NAME      │ VALUE  │\n├───────────┼────────┤\n│ LOG_LEVEL │ debug2 │",
    'send "show version\\r"',
    "STATUS: 7f3e9a2b4c6d8e1f",
    "the API key is required for each call",
    "use key derivation with PBKDF2 here",
    "the wifi pwd policy of the office",
    "the twelve words are shown once",
    "password :  required",
    "the key is sorted by createdAt2",
  ])("%j stays", (text) => {
    expect(redact(text)).toBe(text);
  });
});
