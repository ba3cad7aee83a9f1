import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { enabled } from "../support/enabled.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { until } from "../support/wait.ts";
import { Client, workerDone } from "./client.ts";

const NOTE = "We keep the public API synchronous until 2027, because the billing partner cannot poll.";
const QUESTION = "should the public API become asynchronous?";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.create();
  await enabled(sandbox);
});
afterEach(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

async function out(...args: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await sandbox.run(args);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return stdout;
}

test("a note is told in a new session, with its date and as the user's", async () => {
  expect(await out("note", NOTE)).toBe(
    "Noted as turn 1. Hooks tell it, with its date, for prompts that it answers.\nTo read it: mementor show 1. To remove it: mementor forget 1\n",
  );
  const { told } = await new Client(sandbox).prompt(QUESTION);
  const today = new Date().toISOString().slice(0, 10);
  expect(told).toContain(`1. ${today}, the user's note\n> the user: ${NOTE}\n`);
});

test("a note is found, listed, filtered, shown, forgotten, exported and imported", async () => {
  const { stdout } = await sandbox.run(["note", "-", "--json"], {
    stdin: `${NOTE}\nThe token is npm_FAKEfakeFAKEfakeFAKEfakeFAKEfake1234. <private>not this</private>\n`,
  });
  expect(JSON.parse(stdout)).toEqual({
    turn_id: 1,
    session_id: expect.any(String),
    by: "user",
    embedded: true,
    redacted: true,
    new: true,
  });
  const shown = await out("show", "1", "--no-pager");
  expect(shown).toMatch(/^turn 1 .* note\n/);
  expect(shown).not.toMatch(/npm_FAKE|not this|--resume/);
  const { results } = JSON.parse(await out("search", QUESTION, "--json"));
  expect(results[0]).toMatchObject({ turn_id: 1 });
  for (const list of ["recent", "sessions"]) {
    expect(await out(list, "--from", "note")).toMatch(/\[note\] We keep the public API/);
    expect(await out(list, "--from", "codex")).not.toContain("public API");
  }
  const file = join(sandbox.root, "memory.jsonl");
  await out("export", "-o", file);
  expect(await out("forget", "1", "--yes")).toContain("1 note");
  expect(await out("recent", "--from", "note")).not.toContain("public API");
  const other = join(sandbox.root, "other");
  await Bun.$`mkdir -p ${other}/.git`.quiet();
  await sandbox.run(["import", file, "--now", "--from", "ada"], { cwd: other });
  const imported = await sandbox.run(["show", "1", "--no-pager"], { cwd: other });
  expect(imported.stdout).toMatch(/ note\nsession .*\(imported from ada\)/);
});

test("what is no note is refused, with what to do", async () => {
  const elsewhere = join(sandbox.root, "elsewhere");
  await Bun.$`mkdir -p ${elsewhere}`.quiet();
  const refused = async (args: string[], options = {}) => {
    const { exitCode, stderr } = await sandbox.run(["note", ...args], options);
    return { exitCode, stderr };
  };
  expect([
    await refused(["-"], { stdin: " \n" }),
    await refused(["x".repeat(8_001)]),
    await refused(["-"], { stdin: "é".repeat(40_000) }),
    await refused([NOTE], { cwd: elsewhere }),
    await refused([]),
  ]).toMatchInlineSnapshot(`
    [
      {
        "exitCode": 64,
        "stderr": 
    "mementor: The note is empty.
      For example: mementor note "We keep the API synchronous until 2027"
    "
    ,
      },
      {
        "exitCode": 64,
        "stderr": 
    "mementor: The note has 8001 characters, more than 8000.
      Write down the decision and its reason, and name the file that holds the rest.
    "
    ,
      },
      {
        "exitCode": 64,
        "stderr": 
    "mementor: The note has more than 8000 characters.
      Write down the decision and its reason, and name the file that holds the rest.
    "
    ,
      },
      {
        "exitCode": 1,
        "stderr": 
    "mementor: This project has no memory yet.
      Run "mementor enable" here first: then agents are told your notes too.
    "
    ,
      },
      {
        "exitCode": 64,
        "stderr": 
    "mementor: <text...> is missing.
      Run "mementor note --help" for its arguments and options.
    "
    ,
      },
    ]
  `);
  expect(await out("recent")).not.toContain("public API");
});

test("the resume of a note says why there is none", async () => {
  await out("note", NOTE);
  const { exitCode, stderr } = await sandbox.run(["show", "--resume", "1"]);
  expect({ exitCode, stderr: stderr.replace(/[\da-f]{8}[\da-f-]*/g, "<id>") }).toEqual({
    exitCode: 64,
    stderr:
      "mementor: <id> is a note: it has no conversation to continue.\n  To read it, run: mementor show <id>\n",
  });
});

test("an agent's note is not told as the user's own words", async () => {
  const answer = await callNote({ text: NOTE });
  expect(answer).toMatchObject({
    structuredContent: { results: [{ turn_id: 1, session_id: expect.any(String) }] },
  });
  const { told } = await new Client(sandbox).prompt(QUESTION);
  expect(told).toMatch(new RegExp(`^1\\. [\\d-]+, note by an agent\n> note: ${NOTE}$`, "m"));
  const shown = [
    ["show", "1", "--no-pager"],
    ["recent"],
    ["sessions", "--from", "note"],
    ["search", QUESTION],
  ];
  for (const list of shown) expect(await out(...list)).toContain("[Note by an agent] We keep the public API");
  for (const list of [...shown, ["export"]]) expect(await out(...list)).not.toContain("[User] We keep");
  const page = join(sandbox.root, "report.html");
  await out("report", "--html", page);
  await out("config", "set", "recall.agentNotes", "false");
  const silent = await new Client(sandbox).prompt(QUESTION);
  expect(silent.told).toBeNull();
});

test.each(["CLAUDECODE", "AI_AGENT", "CODEX_THREAD_ID", "GEMINI_CLI"])(
  "a note that an agent writes in its shell, which has %s, is the agent's word",
  async (name) => {
    const { stdout, exitCode } = await sandbox.run(["note", NOTE], { env: { [name]: "1" } });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining("it is told as a note by an agent.")]);
    const { told } = await new Client(sandbox).prompt(QUESTION);
    expect(told).toMatch(new RegExp(`^1\\. [\\d-]+, note by an agent\n> note: ${NOTE}$`, "m"));
    const forgotten = await sandbox.run(["forget", "1", "--yes"]);
    expect(forgotten.exitCode).toBe(0);
    const again = await sandbox.run(["note", NOTE], { env: { [name]: "1" } });
    expect([again.exitCode, again.stderr]).toEqual([
      64,
      expect.stringContaining("the user forgot these words"),
    ]);
  },
);

test("a note below an agent that runs hooks is the agent's word, whatever variables it keeps and wherever it writes", async () => {
  const other = join(sandbox.root, "other");
  mkdirSync(other);
  await enabled(sandbox, other);
  await new Client(sandbox).prompt(QUESTION);
  for (const cwd of [sandbox.project, other]) {
    const { stdout } = await sandbox.run(["note", NOTE, "--json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ by: "agent" });
  }
});

/** Writes a note when nothing is left of the shell that started it, as a process without a terminal. */
const CUT_OFF = `
  setsid sh -c 'while kill -0 "$1" 2>/dev/null; do :; done; "$2" note "$3" --json >"$4.new" 2>&1; mv "$4.new" "$4"' sh $$ "$1" "$2" "$3" </dev/null >/dev/null 2>&1 &
`;

test.skipIf(process.platform !== "linux")(
  "a note that an agent's shell cuts off from itself is no word of the user's while the agent runs",
  async () => {
    const other = join(sandbox.root, "other");
    mkdirSync(other);
    await enabled(sandbox, other);
    const noted = async (name: string, cwd = sandbox.project) => {
      const file = join(sandbox.root, name);
      const shell = Bun.spawn(["sh", "-c", CUT_OFF, "sh", BINARY, `${NOTE} ${name}`, file], {
        cwd,
        env: sandbox.env(),
        stdin: "ignore",
      });
      await shell.exited;
      await until("the note is written", () => Bun.file(file).exists());
      return JSON.parse(await Bun.file(file).text());
    };
    expect(await noted("by a script")).toMatchObject({ by: "user" });
    await new Client(sandbox).prompt(QUESTION);
    expect(await noted("by an agent")).toMatchObject({ by: "agent" });
    expect(await noted("by an agent elsewhere", other)).toMatchObject({ by: "agent" });
  },
);

describe.skipIf(process.platform !== "linux" || Bun.which("script") === null)("a terminal", () => {
  /** Writes a note in a terminal that nobody is above, begun by a shell that first runs a command. */
  async function notedInTerminal(first = "true"): Promise<unknown> {
    const file = join(sandbox.root, "by");
    const command = `${BINARY} note '${NOTE}' --json >${file}.new 2>&1; mv ${file}.new ${file}`;
    Bun.spawnSync(["sh", "-c", `${first}; exec setsid -f script -qec "$1" /dev/null`, "sh", command], {
      cwd: sandbox.project,
      env: sandbox.env({ SHELL: "/bin/sh" }),
      stdio: ["ignore", "ignore", "ignore"],
    });
    await until("the note is written", () => Bun.file(file).exists());
    return JSON.parse(await Bun.file(file).text());
  }

  test("that an agent's shell makes and cuts off is no person's while the agent runs", async () => {
    await new Client(sandbox).prompt(QUESTION);
    expect(await notedInTerminal()).toMatchObject({ by: "agent" });
  });

  const groups = unitsRoot();
  test.skipIf(groups === null)("that systemd started for the desktop is a person's", async () => {
    const [editor, terminal] = ["code-1.scope", "konsole-2.service"].map((name) =>
      join(groups ?? "", `app-mementor-${process.pid}-${name}`),
    );
    for (const unit of [editor, terminal]) mkdirSync(unit ?? "");
    const agent = Bun.spawn(["sh", "-c", `echo $$ >${editor}/cgroup.procs; exec sleep 60`]);
    try {
      const given = { session_id: "s", cwd: sandbox.project, prompt: QUESTION };
      await sandbox.hook("user-prompt-submit", given, { env: { CLAUDE_PID: `${agent.pid}` } });
      expect(await notedInTerminal(`echo $$ >${terminal}/cgroup.procs`)).toMatchObject({ by: "user" });
    } finally {
      agent.kill();
      await agent.exited;
      await until("the units are empty", () =>
        [editor, terminal].every((unit) => readFileSync(`${unit}/cgroup.procs`, "utf8") === ""),
      );
      for (const unit of [editor, terminal]) rmdirSync(unit ?? "");
    }
  });
});

/** The place of systemd's units, where this user may make some; else null. */
function unitsRoot(): string | null {
  const place = ["/sys/fs/cgroup/systemd", "/sys/fs/cgroup"].find((path) =>
    existsSync(`${path}/cgroup.procs`),
  );
  try {
    accessSync(`${place}/cgroup.procs`, constants.W_OK);
    return place ?? null;
  } catch {
    return null;
  }
}

test("the user's own words on a matter are told before an agent's", async () => {
  await callNote({ text: NOTE });
  await out("note", NOTE);
  const { results } = JSON.parse(await out("search", QUESTION, "--json"));
  expect(results.map(({ turn_id }: { turn_id: number }) => turn_id)).toEqual([2, 1]);
});

test("a note that an agent wrote with an older version is told as such", async () => {
  await callNote({ text: NOTE });
  const db = new Database(sandbox.memory("mementor.db"));
  db.run(`UPDATE turns SET origin = 'automated', full_text = '[User] ' || substr(full_text, 20)`);
  db.run(`UPDATE turn_parts SET parts = json_array(json_array('prompt', 7, ${NOTE.length + 7}))`);
  db.run(`UPDATE chunks SET "end" = "end" - 12, content = '[User] ' || substr(content, 20)`);
  db.run("UPDATE sessions SET first_prompt = substr(first_prompt, 20)");
  // The migrations after it run again.
  const later = db.query<{ type: string; name: string }, []>(
    `SELECT type, name FROM sqlite_master WHERE type IN ('table', 'trigger', 'view') AND (name LIKE 'folder%' OR name = 'turn_wordings')
     ORDER BY type DESC`,
  );
  for (const { type, name } of later.all()) db.run(`DROP ${type} ${name}`);
  for (const name of ["chunks_inserted", "chunks_ranked"]) db.run(`DROP TRIGGER ${name}`);
  db.run("DROP INDEX chunks_by_rank");
  db.run("ALTER TABLE chunks DROP COLUMN vector_rank");
  db.run("CREATE TRIGGER chunks_inserted AFTER INSERT ON chunks BEGIN SELECT 1; END");
  db.run("ALTER TABLE turn_parts ADD COLUMN failures TEXT");
  db.run("PRAGMA user_version = 113");
  db.close();
  expect(await out("show", "1", "--no-pager")).toContain(`[Note by an agent] ${NOTE}`);
  expect(await out("sessions", "--from", "note")).toContain("[Note by an agent] We keep the public API");
  const { told } = await new Client(sandbox).prompt(QUESTION);
  expect(told).toMatch(new RegExp(`^1\\. [\\d-]+, note by an agent\n> note: ${NOTE}$`, "m"));
});

/** Calls the tool `note` of the server, as a client does. */
async function callNote(args: Record<string, unknown>) {
  const client = new McpClient({ name: "test", version: "1" });
  const transport = new StdioClientTransport({
    command: BINARY,
    args: ["mcp"],
    cwd: sandbox.project,
    env: sandbox.env(),
  });
  await client.connect(transport);
  return client.callTool({ name: "note", arguments: args }).finally(() => client.close());
}

test("an agent's note says in which session it was written; the user's own says none", async () => {
  const session = "0196f3a2-7c41-4d0e-9a52-5d1f1f0f7a11";
  await sandbox.run(["note", NOTE], { env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session } });
  await sandbox.run(["note", "The kettle stays blue, because the supplier has no other paint."]);
  expect(await out("show", "1", "--no-pager")).toContain(
    `An agent wrote it, in session ${session}: mementor show 0196f3a2\n`,
  );
  expect(JSON.parse(await out("show", "1", "--json"))).toMatchObject({ written_in: session });
  expect(await out("show", "2", "--no-pager")).not.toContain("An agent wrote it");
  expect(JSON.parse(await out("show", "2", "--json"))).toMatchObject({ written_in: null });
});
