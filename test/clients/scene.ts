import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CLIENTS, type Client, commandOf } from "./clients.ts";
import { DECISION, serveModel } from "./model.ts";

/**
 * Plays one client in the network namespace that it was started in: `bun scene.ts ID CLIENT_FOLDER WORK_FOLDER BINARY`.
 * Prints one line for each thing that was tried, and ends with 1 when one of them failed.
 */
const [id = "", folder = "", work = "", binary = ""] = process.argv.slice(2);
const SAMPLE = join(import.meta.dir, "../../fixtures/transcripts/sample/projects/-home-dev-tidemark");
const QUESTION =
  "why does the link checker wait per host with a token bucket instead of lowering the global concurrency?";
const ABOUT_DECISION =
  "How long does the archive keep every page, and what did the museum's lawyers ask for?";
const CLIENT_MS = 120_000;

const found = CLIENTS.find((each) => each.id === id);
if (!found) throw new Error(`no client ${id}`);
const client: Client = found;
const [home, project, log] = [join(work, "home"), join(work, "project"), join(work, "model.jsonl")];
const bin = join(work, "bin");
let isGood = true;

await Bun.$`ip link set lo up`.quiet();
const model = serveModel(log, client.told === "mcp" ? QUESTION : null);
prepare();
const before = settings();
await mementor("enable", "--history", "--for", id, ...(client.told === "mcp" ? ["--mcp"] : []));
await mementor("ingest", "--all");
if (id === "codex") {
  await ask("Does the link checker retry, and how often?");
  report("an untrusted hook is skipped", !lastRequest().includes("mementor-memory"));
  await trust();
}
await ask(QUESTION);
if (client.told === "mcp") {
  report(
    "the model finds a decision of Claude Code with the tool",
    /"role":"tool".*429 from github.com/s.test(unescaped(lastRequest())),
  );
} else {
  report("a decision of Claude Code reaches the model", /mementor-memory.*token bucket/s.test(lastRequest()));
  await ask("ok thanks");
  report("a trivial prompt gets nothing", !lastRequest().includes("mementor-memory"));
}
await mementor("ingest", "--all");
const told = await claudeHook(ABOUT_DECISION);
report("a decision made here is told in Claude Code", told.includes(DECISION.slice(0, 40)));
await mementor("disable");
report("disable takes out what was written", JSON.stringify(settings()) === JSON.stringify(before));
model.stop();
process.exit(isGood ? 0 : 1);

function report(what: string, isMet: boolean): void {
  isGood &&= isMet;
  console.log(`${isMet ? "ok  " : "FAIL"}  ${what}`);
}

/** A project under git, Claude Code's history of it, and the client's settings. */
function prepare(): void {
  for (const directory of [
    home,
    bin,
    join(project, ".git/objects"),
    join(project, ".git/refs"),
    join(work, "tmp"),
  ])
    mkdirSync(directory, { recursive: true });
  writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(log, "");
  const history = join(home, ".claude/projects", project.replace(/[^a-zA-Z0-9]/g, "-"));
  cpSync(SAMPLE, history, { recursive: true });
  for (const name of readdirSync(history, { recursive: true, encoding: "utf8" })) {
    const file = join(history, name);
    if (statSync(file).isFile())
      writeFileSync(file, readFileSync(file, "utf8").replaceAll("/home/dev/tidemark", project));
  }
  for (const [name, text] of Object.entries(client.files(model.port))) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
}

function settings(): Record<string, string> {
  return Object.fromEntries(
    Object.keys(client.files(model.port)).map((name) => [name, readFileSync(join(home, name), "utf8")]),
  );
}

function environment(): Record<string, string> {
  return {
    HOME: home,
    TMPDIR: join(work, "tmp"),
    PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    TERM: "dumb",
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    ...client.env(model.port),
  };
}

async function run(command: readonly string[], stdin = ""): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd: project,
    env: environment(),
    stdin: Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
    timeout: CLIENT_MS,
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (child.exitCode !== 0)
    console.log(`      ${command.slice(-2).join(" ")}: exit code ${child.exitCode}\n${stderr}`);
  return stdout;
}

function mementor(...args: string[]): Promise<string> {
  return run([binary, ...args]);
}

function ask(prompt: string): Promise<string> {
  return run([...commandOf(client, folder), prompt]);
}

/** What a session of Claude Code would be told. */
function claudeHook(prompt: string): Promise<string> {
  const input = { session_id: "played", cwd: project, hook_event_name: "UserPromptSubmit", prompt };
  return run([binary, "hook", "user-prompt-submit"], JSON.stringify(input));
}

/** The last request that a client made for an answer. */
function lastRequest(): string {
  const requests = readFileSync(log, "utf8").split("\n");
  return (
    requests.findLast((line) => /responses"|completions"|enerateContent"/.test(line.slice(0, 120))) ?? ""
  );
}

/** A body stands in the log as a text in JSON. */
function unescaped(line: string): string {
  return line.replaceAll('\\\\"', '"').replaceAll('\\"', '"');
}

/** Says yes to the question of `enable`, on a terminal. */
async function trust(): Promise<void> {
  const [program = ""] = commandOf(client, folder);
  symlinkSync(program, join(bin, "codex"));
  await run(["script", "-qec", `${binary} enable --no-history --for codex`, "/dev/null"], "y\n");
  const { agents } = JSON.parse(await mementor("status", "--json"));
  const codex = agents.find((agent: { id: string }) => agent.id === "codex");
  report("its app-server stores the trust, once it was agreed to", codex?.untrusted === 0);
}
