import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requireKnownServer } from "../../../src/sync/team/settings.ts";
import { tempDir } from "../../store/builders.ts";

const JOINED = "postgres://ada@db.example.org/memory";

function isKnown(url: string, servers: readonly string[] = [], joined: readonly string[] = []): boolean {
  using directory = tempDir();
  const configDir = join(directory.path, "config");
  mkdirSync(configDir);
  const settings = (joinedUrl: string) => ({
    ...{ url: joinedUrl, password: "secret", project: "shop", isInsecure: false },
  });
  const teams = Object.fromEntries(joined.map((each, i) => [`${i}`, settings(each)]));
  writeFileSync(join(configDir, "teams.json"), JSON.stringify({ version: 1, teams }));
  try {
    requireKnownServer(url, { configDir, servers });
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "usage" });
    return false;
  }
}

test.each([
  ["postgres://ada@db.example.org/memory", true],
  ["postgres://bob@DB.example.org:5432/other", true],
  ["postgres://ada@db.example.org:5433/memory", false],
  ["postgres://ada@db.example.org.evil.test/memory", false],
  ["postgres://ada@evil.test/memory?host=db.example.org", true],
  ["postgres://ada@db.example.org/memory?host=evil.test", false],
  ["postgres://ada@db.example.org/memory?port=9", false],
  ["postgres://db.example.org@evil.test/memory", false],
  ["postgres://ada@/memory?host=/tmp", false],
])("where one server was joined, %s is known: %p", (url, expected) => {
  expect(isKnown(url, [], [JOINED])).toBe(expected);
});

test.each([
  ["db.example.org", "postgres://ada@db.example.org/m", true],
  ["db.example.org:5433", "postgres://ada@db.example.org:5433/m", true],
  ["db.example.org:5433", "postgres://ada@db.example.org/m", false],
  ["postgres://ada@[::1]:7/m", "postgres://bob@[::1]:7/x", true],
  ["[::1]:7", "postgres://bob@[::1]:7/x", true],
  ["/run/postgresql", "postgres://ada@/m?host=/run/postgresql", true],
  ["*", "postgres://ada@db.example.org/m", false],
])("the setting %s names %s: %p", (server, url, expected) => {
  expect(isKnown(url, [server])).toBe(expected);
});

test("without either, none is known", () => {
  expect(isKnown(JOINED)).toBe(false);
});
