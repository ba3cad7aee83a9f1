import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { startPglite, type TestServer } from "../support/postgres/pglite.ts";
import { git, writeSession } from "../support/projects.ts";
import { Sandbox } from "../support/sandbox.ts";
import { schemaProblems } from "../support/schema.ts";
import { Client, workerDone } from "./client.ts";

const QUESTION = "Which queue library do we use for the invoice mailer?";
const DECISION =
  "We decided to use quokkaqueue for the invoice mailer, because it retries after a crash and keeps the order of invoices.";
const SECOND = "How many days does the zanzibar archive keep invoices?";
const PRIVATE = "The zanzibarquux archive keeps invoices for ninety days, then deletes them.";

/** A member's machine: a home, and a clone of the project at a path of its own. */
interface Machine {
  sandbox: Sandbox;
  clone: string;
  password: string;
  run(...args: string[]): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: what a command prints is checked by the test
  json(...args: string[]): Promise<any>;
}

let server: TestServer;
let admin: Sandbox;
let ada: Machine;
let bob: Machine;

beforeAll(async () => {
  server = await startPglite();
  admin = await Sandbox.create();
  await admin.run(["team", "init", server.url]);
  ada = await machine("ada");
  bob = await machine("bob");
  writeSession(
    ada.sandbox,
    ada.clone,
    [
      [QUESTION, DECISION],
      [SECOND, PRIVATE],
      ["Thanks, that is all", "You are welcome."],
      ["Bye", "Bye."],
    ],
    { sessionId: "11111111-2222-4333-8444-555555555555" },
  );
  await ada.sandbox.run(["ingest"]);
});
afterAll(async () => {
  for (const { sandbox } of [ada, bob]) {
    await workerDone(sandbox);
    await sandbox[Symbol.asyncDispose]();
  }
  await admin[Symbol.asyncDispose]();
  await server.stop();
});

async function machine(role: string): Promise<Machine> {
  const sandbox = await Sandbox.create();
  const clone = sandbox.project;
  await git(clone, "init", "-q");
  await git(clone, "remote", "add", "origin", "git@github.com:acme/shop.git");
  const added = await admin.run(["team", "add", role, "--project", "github.com/acme/shop", "--json"]);
  const { password } = JSON.parse(added.stdout);
  const run = async (...args: string[]) => {
    const { stdout, stderr, exitCode } = await sandbox.run(args, { cwd: clone, stdin: `${password}\n` });
    expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 0, stderr: "" });
    return stdout;
  };
  await run("enable", "--no-history");
  const json = async (...args: string[]) => {
    const value = JSON.parse(await run(...args, "--json"));
    const [name = ""] = args;
    if (name === "team") expect(schemaProblems(name, value)).toEqual([]);
    return value;
  };
  return { sandbox, clone, password, run, json };
}

/** The files of a machine that hold a word in their bytes. */
function holding(words: string, { sandbox }: Machine): string[] {
  const memory = join(sandbox.home, ".local", "share", "mementor");
  return readdirSync(memory, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((file) => readFileSync(file).toString("latin1").includes(words));
}

describe("two members on two machines", () => {
  test("join with a password from standard input, which only the user can read", async () => {
    const joined = await ada.json("team", "join", "--yes", server.urlOf("ada"), "--password-stdin");
    expect(joined).toEqual({
      project: "github.com/acme/shop",
      author: "ada",
      server: server.urlOf("ada"),
      pulled: 0,
      shared: 0,
      sharing: null,
      is_synced: true,
      is_new: false,
    });
    const file = join(ada.sandbox.home, ".config", "mementor", "teams.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toContain(ada.password);
    expect(holding(ada.password, ada)).toEqual([]);
    await bob.run("team", "join", "--yes", server.urlOf("bob"), "--password-stdin");
  });

  test("a password on the command line is refused", async () => {
    const { stderr, exitCode } = await bob.sandbox.run(
      ["team", "join", "--yes", server.urlOf("bob", "hunter-two")],
      {
        cwd: bob.clone,
      },
    );
    expect(exitCode).toBe(64);
    expect(stderr).not.toContain("hunter-two");
  });

  test("nothing is shared before the user says so", async () => {
    expect(await ada.json("team", "sync")).toMatchObject({ pushed: 0 });
    const preview = await ada.json("team", "preview");
    expect(preview.turns).toHaveLength(4);
    const [first] = preview.turns;
    expect(await ada.json("team", "preview", String(first.turn_id))).toEqual(first);
    expect(JSON.stringify(preview)).not.toContain(ada.sandbox.root);
    const { stderr, exitCode } = await ada.sandbox.run(["team", "share", "on"], { cwd: ada.clone });
    expect({ stderr, exitCode }).toMatchObject({ exitCode: 64 });
    expect(await bob.json("team", "sync")).toMatchObject({ added: 0 });
  });

  test("a decision of one is told to the other, with its author", async () => {
    expect(await ada.json("team", "share", "on", "--yes")).toMatchObject({ pushed: 4, waiting: 0 });
    expect(await bob.json("team", "sync")).toMatchObject({ added: 4, updated: 0, removed: 0 });
    expect(await bob.json("team", "sync")).toMatchObject({ added: 0, updated: 0, removed: 0 });
    const { told } = await new Client(bob.sandbox).prompt(QUESTION);
    expect(told).toContain("quokkaqueue");
    expect(told).toMatch(/\bada\b/);
    expect(await bob.json("team", "status")).toMatchObject({
      author: "bob",
      sharing: null,
      pulled: [{ author: "ada", turns: 4 }],
    });
  });

  test("unshare and forget remove a turn from both, bytes included", async () => {
    const { results } = await ada.json("search", "zanzibarquux archive", "--limit", "1");
    const [second] = results;
    const taken = await ada.json("team", "unshare", String(second.turn_id), "--yes");
    expect(taken).toEqual({ turns: 1, is_synced: true });
    await workerDone(bob.sandbox);
    expect(await bob.json("team", "sync")).toMatchObject({ removed: 1 });
    expect(holding("zanzibarquux", bob)).toEqual([]);
    expect(holding("quokkaqueue", bob)).not.toEqual([]);
    expect(holding("zanzibarquux", ada)).not.toEqual([]);

    const { results: found } = await ada.json("search", "quokkaqueue", "--limit", "1");
    const [first] = found;
    await ada.run("forget", String(first.turn_id), "--yes");
    await ada.run("team", "sync");
    expect(await bob.json("team", "sync")).toMatchObject({ removed: 1 });
    expect(holding("quokkaqueue", bob)).toEqual([]);
    expect(holding("quokkaqueue", ada)).toEqual([]);
  });

  test("the background worker of each sends and fetches by itself", async () => {
    const session = { sessionId: "99999999-2222-4333-8444-555555555555", day: 4 } as const;
    const path = writeSession(
      ada.sandbox,
      ada.clone,
      [
        ["Which port does the teapot listen on?", "The teapot listens on port 4180."],
        ["Thanks", "Fine."],
      ],
      session,
    );
    await ada.sandbox.hook("session-end", {
      session_id: session.sessionId,
      hook_event_name: "SessionEnd",
      transcript_path: path,
      cwd: ada.clone,
      reason: "exit",
    });
    await workerDone(ada.sandbox);
    const before = await ada.json("team", "status");
    expect(before).toMatchObject({ waiting: 0, problem: null });
    expect(before.last_sync.pushed).toBeGreaterThan(0);
    // A minute after its last sync.
    const { last_sync: last } = await bob.json("team", "status");
    const later = { MEMENTOR_NOW: new Date(Date.parse(last.tried_at) + 120_000).toISOString() };
    await bob.sandbox.run(["work"], { cwd: bob.clone, env: later });
    expect((await bob.json("team", "status")).last_sync.pulled).toBeGreaterThan(0);
    expect(holding("port 4180", bob)).not.toEqual([]);
  });

  test("leave removes what was pulled, and keeps one's own", async () => {
    expect(holding("You are welcome", bob)).not.toEqual([]);
    expect(await bob.json("team", "leave", "--yes")).toMatchObject({
      removed: 4,
      rewritten: true,
      erased: false,
    });
    expect(holding("You are welcome", bob)).toEqual([]);
    expect(readFileSync(join(bob.sandbox.home, ".config", "mementor", "teams.json"), "utf8")).not.toContain(
      bob.password,
    );
    expect(await ada.json("team", "share", "off")).toEqual({ sharing: null, shared: 4 });
    expect(await ada.json("team", "leave", "--yes", "--erase")).toMatchObject({ removed: 0, erased: true });
    expect(holding("You are welcome", ada)).not.toEqual([]);
  });
});
