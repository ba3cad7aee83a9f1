import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { batch, openStore, source, tempDir, turn } from "../store/builders.ts";
import { pushAll } from "../support/postgres/pushed.ts";
import { startTeam, type TestTeam } from "../support/postgres/team.ts";
import { Sandbox } from "../support/sandbox.ts";
import { makeProject } from "./project.ts";

let team: TestTeam;
let sandbox: Sandbox;
let project = "";

/** Reads a turn, and pushes it as a member. */
async function remember(
  role: string,
  id: number,
  words: string,
  sessionId = `${role}-session`,
): Promise<void> {
  const facts = { sessionId, createdAt: "2026-03-04T10:00:00.000Z" };
  using directory = tempDir();
  const store = await openStore(join(directory.path, "memory.db"));
  await store.ingest.write(
    batch([turn(0, `[User] ${words}`, facts)], { source: source({ path: `/t/${role}`, sessionId }) }),
  );
  await pushAll(store, { team, project: id, role });
  await store.close();
}

beforeAll(async () => {
  team = await startTeam();
  const shop = await team.addProject("github.com/acme/shop", ["ada", "bob"], ["carl"]);
  await team.addProject("tools", ["bob"]);
  await remember("ada", shop, "The token bucket refills each second.");
  await remember("bob", shop, "The token bucket was too small.");
  sandbox = await Sandbox.create();
  await sandbox.nameServers(url("ada"));
  project = await makeProject(sandbox, "shop", [
    ["How large is the token bucket?", "Twenty tokens in the copy here."],
  ]);
  writeFileSync(join(project, ".git/config"), '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n');
});
/** A directory without a project, in which nobody's home is. */
function elsewhere(): string {
  const directory = join(sandbox.root, "elsewhere");
  mkdirSync(directory, { recursive: true });
  return directory;
}

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  await team[Symbol.asyncDispose]();
});

const url = (role: string) => team.server.urlOf(role);
const run = (args: readonly string[], cwd = project) => sandbox.run(args, { cwd });
const json = async (...args: string[]) => JSON.parse((await run([...args, "--json"])).stdout);

describe("--db with the URL of a team", () => {
  test("lists the project of the remote, with the authors of others", async () => {
    const { turns, total } = await json("recent", "--db", url("ada"));
    expect(total).toBe(2);
    expect(turns.map((row: Record<string, unknown>) => [row.first_words, row.author ?? null])).toEqual([
      ["The token bucket was too small.", "bob"],
      ["The token bucket refills each second.", null],
    ]);
    expect((await json("recent", "--db", url("ada"), "--author", "bob")).total).toBe(1);
    expect((await json("report", "--text", "--db", url("ada"))).totals.turns).toBe(1);
  });

  test.each([
    [["search", "token bucket", "--mode", "keyword"], "token bucket"],
    [["show", "1"], "The token bucket refills each second."],
    [["sessions"], "[by bob]"],
    [["files"], "No files."],
    [["commits"], "No commits."],
    [["commits", "--prs"], "No pull requests."],
    [["show", "--related", "1"], "No session is known yet to have anything in common"],
    [["show", "--turns", "bob-session"], "The token bucket was too small."],
  ])("serves %p", async (args, expected) => {
    const { stdout, stderr, exitCode } = await run([...args, "--db", url("ada")]);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(stdout).toContain(expected);
  });

  test.each([
    ["bob", [], "You have several projects on this server.", "github.com/acme/shop, tools"],
    ["bob", ["--project", "nope"], 'You are not a member of "nope"', "github.com/acme/shop, tools"],
    ["dora", [], "The server refused the login", ""],
  ])("%s with %p, elsewhere, is told what is wrong", async (role, more, message, hint) => {
    const { stderr, exitCode } = await run(["recent", "--db", url(role), ...more], elsewhere());
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  test("the password that `team join` keeps is used, for this server and role alone", async () => {
    await team.admin.unsafe("CREATE ROLE eve LOGIN PASSWORD 'of eve' IN ROLE mementor_member");
    await team.admin.unsafe("INSERT INTO mementor.members (project_id, role) VALUES (2, 'eve')");
    const joined = await sandbox.run(["team", "join", url("eve"), "--project", "tools", "--password-stdin"], {
      cwd: await makeProject(sandbox, "tools", []),
      stdin: "of eve\n",
    });
    expect(joined.exitCode).toBe(0);
    expect((await run(["recent", "--db", url("eve")], elsewhere())).stdout).toBe("No turns.\n");
    await team.admin.unsafe("ALTER ROLE eve RENAME TO eva");
    await team.admin.unsafe("ALTER ROLE eva PASSWORD 'of eve'");
    expect((await run(["recent", "--db", url("eva")], elsewhere())).stderr).toContain(
      "The server refused the login, and no password was found: ",
    );
  });

  test("resume prints the command of a colleague's session only when it is asked for", async () => {
    const resume = (...more: string[]) =>
      run(["show", "--resume", "bob-session", "--db", url("ada"), ...more]);
    const { exitCode, stderr } = await resume();
    expect({ exitCode, stderr }).toEqual({
      exitCode: 64,
      stderr: `mementor: Session bob-session was held by bob, on another machine.\n  Run "mementor --db ${url("ada")} show bob-sess" to read it. For the command to run there, add --author bob.\n`,
    });
    const line = "claude --resume bob-session\n";
    for (const author of ["bob", "all"])
      expect((await resume("--author", author)).stdout).toBe(
        `# On the machine of bob, in the clone of the project:\n${line}`,
      );
    expect(JSON.parse((await resume("--author", "bob", "--json")).stdout)).toEqual({
      session_id: "bob-session",
      client: "claude-code",
      command: ["claude", "--resume", "bob-session"],
      directory: null,
      directory_is_gone: false,
      author: "bob",
    });
    expect((await resume("--author", "carl")).stderr).toContain("Session bob-session is not of carl.");
    expect((await resume("--author", "bob", "--exec")).stderr).toContain("It can be continued only there.");
  });

  test("resume prints no option in place of a session's id", async () => {
    const odd = await team.addProject("odd", ["finn", "gwen"]);
    const option = "--dangerously-skip-permissions";
    await remember("finn", odd, "Continue me.", option);
    const args = [
      "show",
      "--resume",
      "--author",
      "finn",
      "--db",
      url("gwen"),
      "--project",
      "odd",
      "--",
      option,
    ];
    const { exitCode, stdout, stderr } = await run(args, elsewhere());
    expect({ exitCode, stdout }).toEqual({ exitCode: 64, stdout: "" });
    expect(stderr).toContain("is no id that an agent gives a session");
  });

  test("--project names the project", async () => {
    const { stdout } = await run(["recent", "--db", url("bob"), "--project", "tools"], elsewhere());
    expect(stdout).toBe("No turns.\n");
  });

  test("a password in the URL is refused, and not repeated", async () => {
    const { stderr, exitCode } = await run(["recent", "--db", team.server.urlOf("ada", "hunter-two")]);
    expect(exitCode).toBe(64);
    expect(stderr).toContain("A password on the command line can be read by others");
    expect(stderr).not.toContain("hunter-two");
  });

  test.each([
    [["ingest"]],
    [["forget", "1", "--yes"]],
    [["forget", "--before", "1y", "--prune", "--yes"]],
    [["note", "x"]],
    [["mark", "mute", "1"]],
    [["told"]],
    [["status"]],
  ])("%p works on the local memory only", async (args) => {
    const { stderr, exitCode } = await run([...args, "--db", url("ada")]);
    expect(stderr).toContain("This works only with the local memory");
    expect(exitCode).toBe(64);
  });
});

describe("search --team", () => {
  const join_ = (port: number) => {
    const file = join(sandbox.home, ".config/mementor/teams.json");
    mkdirSync(join(sandbox.home, ".config/mementor"), { recursive: true });
    const settings = {
      url: `postgres://ada@127.0.0.1:${port}/postgres`,
      password: null,
      project: "github.com/acme/shop",
      isInsecure: false,
    };
    const teams = { [basename(sandbox.memoryOf(project))]: settings };
    writeFileSync(file, JSON.stringify({ version: 1, teams }), { mode: 0o600 });
  };
  const search = ["search", "token bucket", "--mode", "keyword"];

  test("without a team says so", async () => {
    const { stderr, exitCode } = await run([...search, "--team"]);
    expect(stderr).toContain("This project's memory does not belong to a team.");
    expect(exitCode).toBe(64);
  });

  test("asks the server; each result has its author and date", async () => {
    join_(Number(new URL(url("ada")).port));
    const { source, results } = await json(...search, "--team");
    expect(source).toBe("team");
    expect(
      results.map(({ author, time }: Record<string, string>) => [author, time?.slice(0, 10)]).sort(),
    ).toEqual([
      ["ada", "2026-03-04"],
      ["bob", "2026-03-04"],
    ]);
    const { stdout } = await run([...search, "--team"]);
    expect(stdout).toContain("by bob");
    expect(stdout).toMatch(/mementor --db postgres:\S+ --project github\.com\/acme\/shop show \d/);
    expect((await json(...search)).results[0].passage).toContain("Twenty tokens in the copy here.");
  });

  test("when the server does not answer, says so in one line, and the local copy answers", async () => {
    join_(1);
    const { stdout, stderr, exitCode } = await run([...search, "--team", "--json"]);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(
      /^The team's server does not answer \(.*\): these results are from the local copy\.\n$/,
    );
    const { source, results } = JSON.parse(stdout);
    expect([source, results.length]).toEqual(["local", 1]);
  });
});
