import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { dependencies, version } from "../../package.json";
import { Sandbox } from "../support/sandbox.ts";

const SESSION = "00123450-0000-4000-8000-000000000001";
const PROMPTS = ["How do we rate limit the link checker?", "What does the flag -k of the linter mean?"];

let sandbox: Sandbox;

/** One session whose id begins with digits only, with one turn for each prompt. */
function transcript(): string {
  const entries = PROMPTS.flatMap((prompt, index) => {
    const shared = { sessionId: SESSION, isSidechain: false, cwd: sandbox.project, version: "2.1.0" };
    const timestamp = `2026-03-04T10:0${index}:00.000Z`;
    return [
      { ...shared, type: "user", uuid: `u${index}`, timestamp, message: { role: "user", content: prompt } },
      {
        ...{ ...shared, type: "assistant", uuid: `a${index}`, timestamp },
        message: { id: `m${index}`, role: "assistant", content: [{ type: "text", text: "As it says." }] },
      },
    ];
  });
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

beforeAll(async () => {
  sandbox = await Sandbox.create();
  const file = join(sandbox.root, `${SESSION}.jsonl`);
  await Bun.write(file, transcript());
  expect((await sandbox.run(["ingest", file, "--text-only"])).exitCode).toBe(0);
});
afterAll(() => sandbox[Symbol.asyncDispose]());

/** The first words of the turns that a search finds, and what it says it searched for. */
async function found(...words: string[]) {
  const { exitCode, stdout, stderr } = await sandbox.run([...words, "--mode", "keyword", "--json"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const { query, results } = JSON.parse(stdout);
  return { query, count: results.length };
}

describe("words of a query", () => {
  test.each([
    [["search", "rate", "limit"], "rate limit"],
    [["search", "rate limit"], "rate limit"],
    [["query", "rate", "limit"], "rate limit"],
    [["search", "rate", "--limit", "3", "limit"], "rate limit"],
    [["search", "--limit=3", "rate", "limit"], "rate limit"],
    [["search", "-k3", "rate", "limit"], "rate limit"],
    [["search", "-k", "3", "rate", "limit"], "rate limit"],
    [["--limit", "3", "search", "rate", "limit"], "rate limit"],
    [["search", "--explain", "rate", "limit"], "rate limit"],
    [["search", "- rate limit"], "- rate limit"],
    [["search", "0012"], "0012"],
    [["search", "1e3"], "1e3"],
  ])("%p searches for %p", async (args, query) => {
    expect((await found(...args)).query).toBe(query);
  });

  test("may begin with a dash after --", async () => {
    const { exitCode, stdout } = await sandbox.run([
      ...["search", "--json", "--mode", "keyword"],
      ...["--", "-k", "--bogus"],
    ]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).query).toBe("-k --bogus");
  });

  test("-k, --limit and --limit= all limit", async () => {
    for (const limit of [["-k1"], ["-k", "1"], ["-k=1"], ["--limit", "1"], ["--limit=1"]])
      expect(await found("search", "link", "linter", "flag", ...limit)).toEqual({
        query: "link linter flag",
        count: 1,
      });
  });
});

describe("a flag", () => {
  test("does not take the argument behind it", async () => {
    const preview = await sandbox.run(["forget", "--dry-run", "1"]);
    expect({ exitCode: preview.exitCode, stderr: preview.stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(preview.stdout).toBe((await sandbox.run(["forget", "1", "--dry-run"])).stdout);

    const file = join(sandbox.root, "memory.jsonl");
    expect((await sandbox.run(["export", "-o", file])).exitCode).toBe(0);
    const other = join(sandbox.root, "other.db");
    const imported = await sandbox.run(["import", "--text-only", file, "--db", other, "--json"]);
    expect(imported.exitCode).toBe(0);
    expect(JSON.parse(imported.stdout).chunks.pending).toBeGreaterThan(0);
  });

  test("of lists for a script, --no-pager, is accepted by every command", async () => {
    for (const args of [["status"], ["config"], ["doctor", "--json"], ["--no-pager", "mark", "--json"]])
      expect((await sandbox.run([...args, "--no-pager"])).stderr).toBe("");
  });

  test("of --no-x switches off, and flags of one letter can be joined", async () => {
    expect((await sandbox.run(["show", "--turns", "00123450", "--no-pager"])).exitCode).toBe(0);
    const { exitCode, stderr } = await sandbox.run(["forget", "--dry-run", "-yy", "1"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });
});

test("an id of digits stays what was typed", async () => {
  const { exitCode, stdout } = await sandbox.run(["show", "--turns", "00123450", "--json"]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).session.session_id).toBe(SESSION);
  expect((await sandbox.run(["show", "--turns", "12345"])).stderr).toContain(
    'There is no session "12345", and no turn 12345.',
  );
});

describe("a mistake", () => {
  test.each([
    [["--bogus"], 'There is no option "--bogus".\n  Run "mementor --help"'],
    [["--versoin"], 'There is no option "--versoin".\n  Did you mean "--version"?'],
    [["-V"], 'There is no option "-V".\n  Did you mean "-v"?'],
    [["recent", "-json"], 'There is no option "-json".\n  Did you mean "--json"?'],
    [["recent", "--bogus"], 'There is no option "--bogus".\n  Run "mementor recent --help"'],
    [["recent", "--limt", "3"], 'There is no option "--limt".\n  Did you mean "--limit"?'],
    [["recent", "--json=yes"], "--json takes no value."],
    [["recent", "--limit"], "--limit needs a value"],
    [["recent", "--limit", "--json"], "--limit needs a value"],
    [["recent", "--limit", "1", "-n", "2"], "--limit can be given only once."],
    [["recent", "--limit", "0"], '--limit must be a whole number from 1 to 1,000,000, not "0".'],
    [["search", "x", "--limit", "many"], '--limit must be a whole number from 1 to 1,000, not "many".'],
    [["search", "x", "--mode", "fuzzy"], '--mode must be hybrid, keyword or vector, not "fuzzy".'],
    [["search", "x", "--pr", "0"], '--pr must be a whole number, at least 1, not "0".'],
    [["search"], "<text...> is missing.\n"],
    [["search", ""], "<text...> must not be empty."],
    [["show"], "<turn|session|path> is missing.\n"],
    [["show", "1", "2"], 'There is one argument too many: "2".'],
    [["status", "now", "please"], 'There are too many arguments: "now please".'],
    [["completions", "tcsh"], '<shell> must be bash, zsh, fish or powershell, not "tcsh".'],
    [["commits", "xyz"], '<hash> must be a commit\'s hash: 4 to 64 hexadecimal digits, not "xyz".'],
    [["version"], 'There is no command "version".\n  Did you mean "mementor --version"?'],
    [["serch", "x"], 'There is no command "serch".\n  Did you mean "mementor search"?'],
    [["--db"], "--db needs a value"],
    [["recent", "-n", "-3"], '-n must be a whole number from 1 to 1,000,000, not "-3".'],
    [["search", "x", "-k", "-3"], 'not "-3".'],
  ])("%p exits 64 and says why", async (args, complaint) => {
    const { exitCode, stdout, stderr } = await sandbox.run(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 64, stdout: "" });
    expect(stderr).toContain(complaint);
  });
});

test("-v and --version print the version, --help wins in a command", async () => {
  const { stdout } = await sandbox.run(["--version"]);
  expect(stdout).toMatch(/^mementor \d+\.\d+\.\d+ \(.+\)\n$/);
  expect((await sandbox.run(["-v"])).stdout).toBe(stdout);
  expect((await sandbox.run(["recent", "-h"])).stdout).toBe((await sandbox.run(["help", "recent"])).stdout);
  expect((await sandbox.run(["help"])).stdout).toBe((await sandbox.run(["--help"])).stdout);
});

test("--version --json names the parts too", async () => {
  const { exitCode, stdout } = await sandbox.run(["--version", "--json"]);
  expect(exitCode).toBe(0);
  const found = JSON.parse(stdout);
  expect((await sandbox.run(["-v"])).stdout).toBe(`mementor ${version} (${found.commit}, ${found.target})\n`);
  const hasNative = !/musl|darwin-x64/.test(found.target);
  expect(found).toEqual({
    version,
    commit: expect.stringMatching(/^(?:[0-9a-f]{12}|unknown)$/),
    target: expect.stringMatching(/^(?:linux|darwin|windows)-(?:x64|arm64)/),
    bun: Bun.version,
    sqlite: expect.stringMatching(/^3\.\d+\.\d+$/),
    sqlite_vec: found.target.includes("musl") ? null : dependencies["sqlite-vec"],
    onnxruntime: {
      version: dependencies[hasNative ? "onnxruntime-node" : "onnxruntime-web"],
      runtime: hasNative ? "native" : "wasm",
    },
    model: "bge-small-en-v1.5-int8",
  });
});

describe("the pages", () => {
  test("are in the binary, and the help names them", async () => {
    const { exitCode, stdout } = await sandbox.run(["help", "teams"]);
    expect({ exitCode, start: stdout.slice(0, 7) }).toEqual({ exitCode: 0, start: "TEAMS\n\n" });
    expect((await sandbox.run(["help"])).stdout).toMatch(/^Pages\n(?: {2}.*\n)*.*\bteams\n/m);
  });

  test.each([
    [["help", "teems"], 'There is no command and no page "teems".\n  Did you mean "mementor help teams"?'],
    [["help", "teams", "--man"], '"teams" is a page of the documentation, not a command with a manual page.'],
    [["help", "teams", "--json"], "Help is text only."],
  ])("%p is refused with its reason", async (args, reason) => {
    const { exitCode, stderr } = await sandbox.run(args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 64, stderr: expect.stringContaining(reason) });
  });
});

describe("the manual page", () => {
  test("names every command and option that help shows", async () => {
    const { exitCode, stdout } = await sandbox.run(["help", "--man"]);
    expect(exitCode).toBe(0);
    expect(stdout).toStartWith(`.TH "MEMENTOR" 1 "" "mementor ${version}" "User Commands"\n`);
    const commands = [...(await sandbox.run(["--help"])).stdout.matchAll(/^ {2}([a-z]+)(?: .*)? {2}[A-Z]/gm)];
    expect(commands.length).toBeGreaterThan(10);
    for (const [, name] of commands) expect(stdout).toMatch(new RegExp(`^\\.SS "mementor ${name}\\b`, "m"));
    expect(stdout).toContain(".B \\-n, \\-\\-limit <n>\n");
  });

  test.skipIf(!Bun.which("groff"))("is sound troff", async () => {
    const { stdout } = await sandbox.run(["help", "--man"]);
    const child = Bun.spawn(["groff", "-man", "-Tutf8", "-ww", "-z"], {
      stdin: Buffer.from(stdout),
      stderr: "pipe",
    });
    expect(await child.stderr.text()).toBe("");
  });
});
