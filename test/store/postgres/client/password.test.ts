import { expect, test } from "bun:test";
import { chmod, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findPassword, parseTarget, readPassword } from "../../../../src/store/postgres/client/target.ts";
import { SCRATCH } from "../../../support/scratch.ts";

const target = parseTarget("postgres://ada@db.acme.example/memory");
const withPassword = parseTarget("postgres://ada:in-url@db.acme.example/memory");

async function homeWith(passwords: string, mode = 0o600): Promise<string> {
  const home = await mkdtemp(join(SCRATCH, "mementor-password-"));
  await writeFile(join(home, ".pgpass"), passwords);
  await chmod(join(home, ".pgpass"), mode);
  return home;
}

test("the first place that has a password counts", async () => {
  const home = await homeWith("*:*:*:*:in-file\n");
  const team = "postgres://ada:in-team-url@db.acme.example/memory";
  const env = { MEMENTOR_TEAM_URL: team, PGPASSWORD: "in-variable" };
  const all = { env, home, configured: "in-configuration" };
  const found = await Promise.all([
    findPassword(withPassword, all),
    findPassword(target, all),
    findPassword(target, { env, home, configured: null }),
    findPassword(target, { env: { ...env, MEMENTOR_TEAM_URL: team.replace("ada", "grace") }, home }),
    findPassword(target, { env: {}, home }),
    findPassword(target, { env: { PGPASSFILE: join(home, "missing") }, home }),
  ]);
  expect(found).toEqual(["in-url", "in-configuration", "in-team-url", "in-variable", "in-file", null]);
});

test.skipIf(process.platform === "win32")("a password file that others can read is refused", async () => {
  const home = await homeWith("*:*:*:*:in-file\n", 0o640);
  const refused = findPassword(target, { env: {}, home }).catch((error: unknown) => error);
  expect(await refused).toMatchObject({
    code: "config_invalid",
    hint: `Run: chmod 600 ${join(home, ".pgpass")}`,
  });
});

test.each([
  ["db.acme.example:5432:memory:ada:secret", "secret"],
  ["# db.acme.example:5432:memory:ada:secret", null],
  ["other:*:*:*:wrong\n*:*:memory:ada:right\n*:*:*:*:late", "right"],
  ["*:5433:*:*:wrong", null],
  ["*:*:*:grace:wrong", null],
  ["*:*:*:ada:with\\:colon and \\\\", "with:colon and \\"],
  ["*:*:*:ada:a:b", "a"],
  ["*:*:*:ada", null],
  ["*:*:*:ada:\r\n", ""],
  ["", null],
])("in the file %j it is %p", (file, password) => {
  expect(readPassword(file, target)).toBe(password);
});

test("a socket is called localhost in the file", () => {
  const socket = parseTarget("postgres:///memory?host=/run/pg&user=ada");
  expect(readPassword("localhost:5432:memory:ada:secret", socket)).toBe("secret");
});
