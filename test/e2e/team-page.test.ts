import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { startPglite, type TestServer } from "../support/postgres/pglite.ts";
import { git, writeSession } from "../support/projects.ts";
import { Sandbox } from "../support/sandbox.ts";
import { untilEmbedded, workerDone } from "./client.ts";

const page = await Bun.file(join(import.meta.dir, "..", "..", ".github", "docs", "teams.md")).text();

/** The lines of the page's first example, and the commands of its tables. */
const [, lines = ""] = /```sh\n([\s\S]*?)```/.exec(page) ?? [];
const setUp = lines
  .trim()
  .split("\n")
  .map((line) => line.replace(/\s+# .*$/, ""));
const table = [...page.matchAll(/^\| `(mementor [^`]+)` \|/gm)].map(([, line = ""]) => line);

let server: TestServer;
let sandbox: Sandbox;
let password = "";

beforeAll(async () => {
  server = await startPglite();
  sandbox = await Sandbox.create();
  await git(sandbox.project, "init", "-q");
  await git(sandbox.project, "remote", "add", "origin", "git@github.com:acme/shop.git");
  const talk = ["a", "b", "c"].map((word) => [`What about ${word}?`, `It is ${word}.`] as const);
  await writeSession(sandbox, sandbox.project, talk);
});
afterAll(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
  await server.stop();
});

/** Runs a line as it stands, at this test's server and without a terminal that could answer. */
async function run(line: string, more: readonly string[] = []) {
  const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, one, two, plain]) => one ?? two ?? plain ?? "",
  );
  const args = words
    .slice(1)
    .map((word) =>
      word.replace("admin@db.acme.example/memory", new URL(server.url).href.slice("postgres://".length)),
    )
    .map((word) =>
      word.replace("ada@db.acme.example/memory", server.urlOf("ada").slice("postgres://".length)),
    );
  const { exitCode, stdout, stderr } = await sandbox.run([...args, ...more], { stdin: `${password}\n` });
  expect({ line, exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return stdout;
}

test("the lines to a shared memory do what they say", async () => {
  expect(setUp.map((line) => line.split(" ").slice(0, 3).join(" "))).toEqual([
    "mementor team init",
    "mementor team add",
    "mementor enable",
    "mementor team join",
    "mementor team preview",
    "mementor team share",
  ]);
  const [init = "", add = "", enable = "", join_ = "", preview = "", share = ""] = setUp;
  expect(await run(init)).toContain("is ready for a team");
  password = JSON.parse(await run(add, ["--json"])).password;
  expect(await run(enable, ["--history"])).toContain("3 turns read from 1 session");
  // A person confirms at the terminal that the project is what its own files say.
  const confirmed = ["--yes"];
  expect(await run(join_, ["--password-stdin", ...confirmed])).toContain("Nothing of yours is shared yet.");
  // A vector that comes after its turn was sent is a change that follows.
  await untilEmbedded(sandbox);
  expect(await run(preview)).toContain("3 turns would be with the team, 0 of them already.");
  expect(await run(share, ["--yes"])).toContain("Sharing is on. 3 turns went to the team.");
});

/** What stands for the placeholders of the table's commands, and what a person would answer. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  share: ["--yes"],
  unshare: ["--yes"],
  forget: ["--yes"],
  leave: ["--yes"],
};

test.each(table)("`%s` runs", async (line) => {
  const [, name = "", action = ""] = line.split(" ");
  const command = line.replace("<turn>", name === "forget" ? "2" : "1").replace("NAME", "ada");
  await run(command, ANSWERS[name === "team" ? action : name] ?? []);
});
