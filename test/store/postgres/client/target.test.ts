import { expect, test } from "bun:test";
import fc from "fast-check";
import { isLoopback } from "../../../../src/store/postgres/client/connect.ts";
import { nameOf, parseTarget, redactUrl } from "../../../../src/store/postgres/client/target.ts";

const PLAIN = {
  host: "db.acme.example",
  port: 5432,
  user: "ada",
  database: "memory",
  password: null,
  sslMode: null,
  sslRootCert: null,
};

test.each([
  ["postgres://ada@db.acme.example/memory", PLAIN],
  ["postgresql://ada@db.acme.example:/memory", PLAIN],
  ["postgres://ada:a%3Ab%40c@db.acme.example:6432/memory", { ...PLAIN, port: 6432, password: "a:b@c" }],
  ["postgres://ada:a:b@db.acme.example/memory", { ...PLAIN, password: "a:b" }],
  ["postgres://ada@[2001:db8::7]:6432/memory", { ...PLAIN, host: "2001:db8::7", port: 6432 }],
  ["postgres:///memory?host=/run/pg&user=ada", { ...PLAIN, host: "/run/pg" }],
  ["postgres://ada@%2Frun%2Fpg/memory", { ...PLAIN, host: "/run/pg" }],
  [
    "postgres://ada@db.acme.example/memory?sslmode=require&sslrootcert=/etc/ca.pem&channel_binding=require&password=p",
    { ...PLAIN, sslMode: "require", sslRootCert: "/etc/ca.pem", password: "p" },
  ],
] as const)("%s", (url, target) => {
  expect(parseTarget(url)).toEqual(target);
});

test.each([
  ["mysql://ada@db/memory", "postgres://user@host/database"],
  ["postgres://ada:hunter2@/memory", "no host"],
  ["postgres://db.acme.example/memory", "no user"],
  ["postgres://ada:hunter2@db.acme.example", "no database"],
  ["postgres://ada:hunter2@db.acme.example:0/memory", "port"],
  ["postgres://ada:hunter2@db.acme.example:70000/memory", "port"],
  ["postgres://ada:hunter2@a,b/memory", "several hosts"],
  ["postgres://ada:hunter2@db/memory?sslmode=maybe", "sslmode"],
  ["postgres://ada:hunter2#x@db/memory?password=hunter2", "postgres://user@host/database"],
])("%s is refused without its password", (url, why) => {
  expect(() => parseTarget(url)).toThrow(why);
  expect(() => parseTarget(url)).not.toThrow("hunter2");
});

test("a name has no password and no parameters", () => {
  expect(nameOf(parseTarget("postgres://a%40b:hunter2@[::1]:5433/memory?sslmode=require"))).toBe(
    "postgres://a%40b@[::1]:5433/memory",
  );
  expect(nameOf(parseTarget("postgres:///memory?host=/run/pg&user=ada&password=hunter2"))).toBe(
    "postgres://ada@/memory?host=/run/pg",
  );
});

test.each([
  ["at postgres://ada:hunter2@db/memory, again", "at postgres://ada@db/memory, again"],
  ["postgres://ada:hun/ter2@db/memory", "postgres://ada@db/memory"],
  ["postgres://ada:hun@ter2@db/memory?password=hunter2", "postgres://ada@db/memory"],
  ["'postgresql://ada:hunter2@db' and \"POSTGRES://:x@db\"", "'postgresql://ada@db' and \"POSTGRES://@db\""],
  ["postgres://db/memory?user=ada&password=hunter2", "postgres://db/memory"],
  ["postgres://ada:hunter2 and postgres://db:5433/m", "postgres://ada and postgres://db:5433/m"],
  ["postgres://ada@[::1]:5433/m", "postgres://ada@[::1]:5433/m"],
  ["postgres://ada:hun?ter2@db/memory", "postgres://ada@…"],
  ["postgres://db/memory?password=hunt@er2", "postgres://db@…"],
  ["postgres://ada:hunter2#x@db/memory?password=hunter2", "postgres://ada@…"],
  ["no URL: hunter2", "no URL: hunter2"],
])("%s is shown as %s", (text, shown) => {
  expect(redactUrl(text)).toBe(shown);
});

test("no password of a URL is ever shown", () => {
  const password = fc.stringMatching(/^[!-~]{6,20}$/).filter((text) => !/["'`<>]/.test(text));
  fc.assert(
    fc.property(password, fc.constantFrom("db", "[::1]:5433"), (secret, host) => {
      const shown = redactUrl(`see postgres://ada:SECRET${secret}@${host}/memory?x=1 there`);
      expect(shown).not.toContain(`SECRET${secret.slice(0, 1)}`);
      expect(shown.startsWith("see postgres://ada")).toBe(true);
    }),
  );
});

test.each([
  ["/run/pg", true],
  ["127.0.0.1", true],
  ["127.9.8.7", true],
  ["::1", true],
  ["0:0:0:0:0:0:0:1", true],
  ["127.1", false],
  ["0.0.0.0", false],
  ["::", false],
  ["::ffff:127.0.0.1", false],
  ["::2:1", false],
  ["1::1", false],
  ["10.0.0.1", false],
  ["db.localhost", false],
  ["127.0.0.1.acme.example", false],
])("%s stays on this machine: %p", async (host, expected) => {
  expect(await isLoopback(host, async () => ["127.0.0.1"])).toBe(expected);
});

test("localhost is loopback where it means nothing else", async () => {
  expect(await isLoopback("LocalHost", async () => ["127.0.0.1", "::1"])).toBe(true);
  expect(await isLoopback("localhost", async () => ["127.0.0.1", "192.0.2.1"])).toBe(false);
  expect(await isLoopback("localhost", async () => [])).toBe(false);
});
