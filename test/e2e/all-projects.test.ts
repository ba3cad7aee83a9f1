import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { makeProject } from "./project.ts";

let sandbox: Sandbox;
let api = "";
let web = "";
let notes = "";

beforeAll(async () => {
  sandbox = await Sandbox.create();
  api = await makeProject(sandbox, "work/api", [
    [
      "How should @src/limit.ts limit the requests of a client to the public API?",
      "A token bucket for each API key: 100 requests a minute with bursts of 20.",
    ],
    ["Where do we keep the counters of the rate limit?", "In Redis, with a time to live of two minutes."],
  ]);
  web = await makeProject(
    sandbox,
    "work/web",
    [
      [
        "Why does the login page flicker?",
        "The theme was read after the first paint; now it is in a cookie.",
      ],
    ],
    5,
  );
  notes = await makeProject(
    sandbox,
    "private/web",
    [["Plan the garden for spring", "Tomatoes along the south wall, beans beside the shed."]],
    4,
  );
});

afterAll(() => sandbox[Symbol.asyncDispose]());

async function json(args: string[], cwd = web) {
  const { stdout, stderr, exitCode } = await sandbox.run([...args, "--json"], { cwd });
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return JSON.parse(stdout);
}

/** The files of a memory that a search must leave as they are. */
function stored(project: string): string {
  return new Bun.CryptoHasher("sha256")
    .update(readFileSync(join(sandbox.memoryOf(project), "mementor.db")))
    .digest("hex");
}

describe("all projects, on the compiled binary", () => {
  test("a search answers from another project, and says from which", async () => {
    const before = stored(api);
    const found = await json(["search", "token bucket for the rate limit", "--all-projects"]);
    expect(found.results[0]).toMatchObject({ project: "api", project_path: api, turn_id: 1 });
    expect(found).toMatchObject({ projects: 3, by_words: [], left_out: [] });
    expect(["likely", "strong"]).toContain(found.confidence);
    expect(stored(api)).toBe(before);
  });

  test("projects of one name are told apart by the directory above them", async () => {
    const { results } = await json(["search", "tomatoes along the south wall", "--all-projects", "-k", "1"]);
    expect(results.map((hit: { project: string }) => hit.project)).toEqual(["private/web"]);
  });

  test("the printed command shows the turn from where the user is", async () => {
    const { stdout } = await sandbox.run(["search", "token bucket", "--all-projects", "-k", "1"], {
      cwd: web,
    });
    expect(stdout).toContain("mementor -C ../api show 1");
    const shown = await sandbox.run(["-C", "../api", "show", "1"], { cwd: web });
    expect(shown.stdout).toContain("100 requests a minute");
    expect(shown.stdout).toContain("mementor -C ../api show 1 --resume");
    const resumed = await sandbox.run(["-C", "../api", "show", "1", "--resume"], { cwd: web });
    expect(resumed.stdout).toStartWith(`cd ${api} && claude --resume `);
  });

  test("outside of any project, too", async () => {
    const elsewhere = join(sandbox.root, "elsewhere");
    mkdirSync(elsewhere);
    const { results } = await json(["search", "login page flicker", "--all-projects", "-k", "1"], elsewhere);
    expect(results[0]).toMatchObject({ project: "work/web", project_path: web });
  });

  test("filters mean in each project what they mean there", async () => {
    const query = ["search", "client", "--all-projects"];
    const here = await json([...query, "--file", "src/limit.ts"]);
    expect(here.results.map((hit: { project: string }) => hit.project)).toEqual(["api"]);
    const late = await json([...query, "--since", "2026-11-05"]);
    expect(new Set(late.results.map((hit: { project: string }) => hit.project))).toEqual(
      new Set(["work/web"]),
    );
    const wrong = await sandbox.run([...query, "--since", "no time"], { cwd: web });
    expect(wrong.exitCode).toBe(64);
    for (const list of [["search", "client"], ["recent"], ["sessions"]]) {
      const { exitCode, stderr } = await sandbox.run([...list, "--all-projects", "--branch", "nowhere"], {
        cwd: web,
      });
      expect(exitCode).toBe(1);
      expect(stderr).toContain(
        'The memory has no branch "nowhere".\n  It is in none of your 3 memories. Known ones include: main.',
      );
    }
  });

  test("recent, sessions and told list all projects, the latest first", async () => {
    const recent = await json(["recent", "--all-projects"]);
    expect(recent.turns.map((turn: { project: string }) => turn.project)).toEqual([
      "work/web",
      "private/web",
      "api",
      "api",
    ]);
    const sessions = await json(["sessions", "--all-projects", "-n", "2"]);
    expect(sessions.sessions.map((row: { project_path: string }) => row.project_path)).toEqual([web, notes]);
    expect(sessions.total).toBe(3);
    expect(await json(["told", "--all-projects"])).toEqual({
      ...{ answers: [], total: 0, projects: 3, left_out: [] },
    });
    const { stdout } = await sandbox.run(["recent", "--all-projects"], { cwd: web });
    expect(stdout).toContain("api: mementor -C ../api show <turn>");
    expect(stdout).toContain("work/web: mementor show <turn>");
  });

  test("options that need one project say so", async () => {
    for (const args of [
      ["search", "x", "--all-projects", "--explain"],
      ["told", "1", "--all-projects"],
      ["told", "-f", "--all-projects"],
      ["-C", ".", "--db", "x.db", "recent"],
    ])
      expect((await sandbox.run(args, { cwd: web })).exitCode).toBe(64);
    const gone = await sandbox.run(["-C", "nowhere", "recent"], { cwd: web });
    expect({ exitCode: gone.exitCode, stderr: gone.stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining(`There is no directory ${join(web, "nowhere")}.`),
    });
  });
});

describe("all projects, through MCP", () => {
  let client: Client;
  beforeAll(async () => {
    client = await connectedIn(web);
  });
  afterAll(() => client.close());

  async function connectedIn(cwd: string): Promise<Client> {
    const connected = new Client({ name: "test", version: "1" });
    const env = sandbox.env();
    await connected.connect(
      new StdioClientTransport({ command: BINARY, args: ["mcp"], cwd, env, stderr: "ignore" }),
    );
    return connected;
  }

  async function call(name: string, args: Record<string, unknown>) {
    const { isError, structuredContent, content } = await client.callTool({ name, arguments: args });
    const text = (content as { text: string }[]).map((part) => part.text).join("\n");
    return {
      isError: isError === true,
      text,
      data: structuredContent as { results: Record<string, unknown>[] },
    };
  }

  test("a search answers for all, and names the project of each result", async () => {
    const found = await call("search_elsewhere", { query: "token bucket for the rate limit", project: "*" });
    expect(found.data.results[0]).toMatchObject({ project: "api", project_path: api, turn_id: 1 });
    expect(found.text).toContain("project api · turn 1");
  });

  test("a turn and a search of another project are found by its name or path", async () => {
    for (const project of ["api", api, "../api"]) {
      expect((await call("search_elsewhere", { turn: 1, project })).text).toContain("100 requests a minute");
      const { data } = await call("search_elsewhere", { query: "token bucket", project });
      expect(data.results[0]).toMatchObject({ turn_id: 1 });
    }
  });

  test("an unknown project, and a turn of no one project, are errors that help", async () => {
    expect(await call("search_elsewhere", { query: "token", project: "nope" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("Known projects: work/web"),
    });
    expect((await call("search_elsewhere", { turn: 1, project: "*" })).isError).toBe(true);
  });

  test("no other memory answers in a project that is not enabled", async () => {
    const stranger = join(sandbox.root, "stranger");
    mkdirSync(join(stranger, ".git/objects"), { recursive: true });
    const from = await connectedIn(stranger);
    for (const args of [
      { query: "token bucket", project: "*" },
      { query: "token bucket", project: "api" },
      { turn: 1, project: api },
      { query: "token bucket", team: true },
    ]) {
      const answer = await from.callTool({ name: "search_elsewhere", arguments: args });
      expect(answer.isError).toBe(true);
      expect(JSON.stringify(answer)).toContain("not enabled");
    }
    await from.close();
  });
});

describe("memories that cannot be searched like the others", () => {
  test("damaged, newer, locked, planted and of another model: named, and the rest answers", async () => {
    const [damaged, newer, locked, other] = await Promise.all(
      ["damaged", "newer", "locked", "other-model"].map((name) =>
        makeProject(sandbox, name, [["What about penguins?", `Penguins of ${name} live on the ice.`]]),
      ),
    );
    const databaseOf = (project = "") => join(sandbox.memoryOf(project), "mementor.db");
    writeFileSync(databaseOf(damaged), "no database at all, only words".repeat(100));
    change(databaseOf(newer), "PRAGMA user_version = 999");
    change(databaseOf(other), "UPDATE models SET name = 'some-other-model'");
    using holder = new Database(databaseOf(locked));
    holder.run("PRAGMA locking_mode = EXCLUSIVE");
    holder.run("BEGIN EXCLUSIVE");
    const planted = plant();
    try {
      const found = await json(["search", "penguins live on the ice", "--all-projects"]);
      const reasons = Object.fromEntries(
        found.left_out.map((each: { project: string; reason: string }) => [each.project, each.reason]),
      );
      expect(reasons).toEqual({
        damaged: "damaged",
        newer: "written by a newer mementor",
        locked: "in use by another process",
        planted: "its memory was not made here",
        copycat: "its memory belongs to another project",
      });
      expect(found.by_words).toEqual([{ project: "other-model", project_path: other }]);
      expect(found.results[0]).toMatchObject({ project: "other-model" });
      const { stdout } = await sandbox.run(["search", "penguins", "--all-projects"], { cwd: web });
      expect(stdout).toContain("the vectors are from another model: other-model");
      expect(stdout).toContain("damaged (damaged)");
      const recent = await json(["recent", "--all-projects"]);
      expect(recent.left_out.map((each: { project: string }) => each.project).sort()).toEqual(
        Object.keys(reasons).sort(),
      );
    } finally {
      planted.remove();
    }
  });
});

function change(file: string, sql: string): void {
  using db = new Database(file);
  db.run(sql);
}

/** Adds two projects to the registry: one whose memory is a link to elsewhere, and one with the memory of `api`. */
function plant(): { remove: () => void } {
  const file = join(sandbox.home, ".config/mementor/projects.json");
  const before = readFileSync(file, "utf8");
  const registry = JSON.parse(before);
  const known = registry.projects.find(({ root }: { root: string }) => root === api);
  const id = "0123456789abcdef0123456789abcdef";
  const elsewhere = join(sandbox.root, "elsewhere");
  mkdirSync(elsewhere, { recursive: true });
  writeFileSync(join(elsewhere, "mementor.db"), readFileSync(join(sandbox.memoryOf(web), "mementor.db")));
  const link = join(sandbox.home, ".local/share/mementor/projects", id);
  symlinkSync(elsewhere, link);
  registry.projects.push({ ...known, root: "/planted", id }, { ...known, root: "/copycat" });
  writeFileSync(file, JSON.stringify(registry));
  return {
    remove() {
      writeFileSync(file, before);
      rmSync(link);
    },
  };
}
