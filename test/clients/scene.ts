import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { outcomeOf } from "../support/outcome.ts";
import { attemptsIn } from "./attempts.ts";
import { CLAUDE, CLIENTS, type Client, commandOf } from "./clients.ts";
import { ABOUT_DECISION, ATTEMPT, countResults, DECISION, DELIVER, serveModel, TOLD, WAKE } from "./model.ts";

/**
 * Plays one client in the network namespace that it was started in:
 * `bun scene.ts KEY CLIENT_FOLDER CLAUDE_FOLDER WORK_FOLDER BINARY TIMERS`, with an empty CLAUDE_FOLDER where Claude Code is missing.
 * Prints one line for each thing that was tried, and ends with 1 when one of them failed.
 */
const [key = "", folder = "", claudeFolder = "", work = "", binary = "", timers = ""] = process.argv.slice(2);
const SAMPLE = join(import.meta.dir, "../../fixtures/transcripts/sample/projects/-home-dev-tidemark");
const CLIENT_MS = 120_000;
/** A wake-up comes a minute after the call at least, at the full minute. */
const WAKE_MS = 300_000;
/** What `recall` finds an answer to, and how each answer of it begins. */
const ASKED = "why does the link checker wait per host?";
const ANSWERED = "What earlier sessions say on this";
/** How a program talks with Claude Code, which then stays and waits for its timers. */
const STREAMED = ["--input-format=stream-json", "--output-format=stream-json", "--verbose"];

/** What is asked about a decision of Claude Code, and words of it: of its own session now or, without it, of the sample. */
const FROM_CLAUDE =
  claudeFolder === ""
    ? {
        question:
          "why does the link checker wait per host with a token bucket instead of lowering the global concurrency?",
        words: "token bucket",
      }
    : {
        question:
          "In which order shall captions be set on a scanned page, and why did screen readers lose their place between columns?",
        words: "scanned page",
      };

const found = CLIENTS.find((each) => each.key === key);
if (!found) throw new Error(`no client ${key}`);
const client: Client = found;
const [home, project, log] = [join(work, "home"), join(work, "project"), join(work, "model.jsonl")];
const bin = join(work, "bin");
let isGood = true;

await Bun.$`ip link set lo up`.quiet();
const attempts = attemptsIn(join(work, "attempts"), join(home, ".local/share/mementor/bin/mementor"), ASKED);
const model = serveModel(log, client.told === "mcp" ? FROM_CLAUDE.question : null, attempts.commands);
prepare();
const before = settings();
const options = { hooks: [], mcp: ["--mcp"], plugin: ["--opencode-plugin"] }[client.told];
await mementor("enable", "--history", "--for", client.id, ...options);
if (claudeFolder !== "") {
  const own = readFileSync(join(project, ".claude/settings.local.json"), "utf8");
  report("Claude Code's hooks are in the exec form", own.includes("--no-shell") && !own.includes("test -x"));
  await askClaude("How shall captions be set?");
}
await mementor("ingest");
if (client.id === "codex") {
  const requests = await ask("Does the link checker retry, and how often?");
  report("an untrusted hook is skipped", !requests.includes("mementor-memory"));
  await trust();
}
const requests = await ask(FROM_CLAUDE.question);
if (client.told === "mcp") {
  const answer = new RegExp(`"role":"tool".*${FROM_CLAUDE.words}`, "s");
  report("the model finds a decision of Claude Code with the tool", answer.test(unescaped(requests)));
} else {
  const answer = new RegExp(`mementor-memory.*${FROM_CLAUDE.words}`, "s");
  report("a decision of Claude Code reaches the model", answer.test(requests));
  report("a trivial prompt gets nothing", !(await ask("ok thanks")).includes(TOLD));
}
await mementor("ingest");
if (claudeFolder === "") {
  const told = await claudeHook(ABOUT_DECISION);
  report("a decision made here is told by Claude Code's hook", told.includes(DECISION.slice(0, 40)));
} else {
  const told = await askClaude(ABOUT_DECISION);
  const answer = new RegExp(`mementor-memory.*${DECISION.slice(0, 40)}`, "s");
  report("a decision made here is told in Claude Code's next session", answer.test(told));
  report("a trivial prompt gets nothing there", !(await askClaude("ok thanks")).includes(TOLD));
}
if (client.argsOfLeave !== undefined)
  await playLeave("it", [...commandOf(client, folder), ...client.argsOfLeave], client);
if (claudeFolder !== "" && timers === "true")
  await playLeave("Claude Code", commandOf(CLAUDE, claudeFolder), CLAUDE);
if (claudeFolder !== "") await playMoments();
if (claudeFolder !== "" && timers === "true") await playWakeUp();
await mementor("disable");
report("disable takes out what was written", JSON.stringify(settings()) === JSON.stringify(before));
model.stop();
process.exit(isGood ? 0 : 1);

/** What a client runs without a question: `recall`, and nothing with it. */
async function playLeave(who: string, command: readonly string[], player: Client): Promise<void> {
  const requests = await requestsOf(() => run([...command, ATTEMPT], "", player));
  report(`${who} runs recall without a question`, requests.includes(ANSWERED));
  const results = requests.split("\n").map((line) => countResults(JSON.parse(line).body));
  const through = attempts.gotThrough();
  const { length } = attempts.commands;
  const isDone = Math.max(...results) === length && through.length === 0;
  report(`${who} runs none of ${length - 1} other things with it`, isDone);
  for (const each of through) console.log(`      ran: ${each}`);
}

/** What Claude Code is told besides prompts: for a typed command, and after a failure that an earlier session got past. */
async function playMoments(): Promise<void> {
  const typed = await askClaude(`/explain ${ABOUT_DECISION}`);
  report("a typed command is answered by what stands after it, once", countOf(typed, TOLD) === 1);
  report("a typed command alone gets nothing", countOf(await askClaude("/explain"), TOLD) === 0);
  const failed = /The same call failed in the same way before.*--region fra/s;
  report(
    "a failure that was never met gets nothing",
    !failed.test(await askClaude(DELIVER, ["--allowedTools=Bash"])),
  );
  await mementor("ingest");
  report(
    "what got past a failure is told in the next session",
    failed.test(await askClaude(DELIVER, ["--allowedTools=Bash"])),
  );
}

/** What Claude Code asks of itself when a loop wakes it: the same question, typed, is told about. */
async function playWakeUp(): Promise<void> {
  const requests = await requestsOf(async () => {
    const command = [...commandOf(CLAUDE, claudeFolder), "--allowedTools=ScheduleWakeup", ...STREAMED];
    const child = Bun.spawn(command, {
      cwd: project,
      env: environment(CLAUDE),
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
      timeout: WAKE_MS,
    });
    child.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content: WAKE } })}\n`);
    await child.stdin.flush();
    let said = "";
    for await (const chunk of child.stdout) {
      said += new TextDecoder().decode(chunk);
      if (said.split('"type":"result"').length === 3) await child.stdin.end();
    }
    await child.exited;
  });
  const woken = requests.split("\n").filter((request) => request.includes(ABOUT_DECISION));
  report(
    "a loop's wake-up reaches the model, and gets nothing",
    woken.length > 0 && countOf(woken.join("\n"), TOLD) === 0,
  );
  const told = await mementor("told", "--json");
  report("and is counted", told.includes('"automatic"'));
}

/** How often a text stands in the request that has it most often. */
function countOf(requests: string, text: string): number {
  return Math.max(...requests.split("\n").map((request) => request.split(text).length - 1));
}

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
  if (claudeFolder !== "") symlinkSync(commandOf(CLAUDE, claudeFolder)[0] ?? "", join(bin, "claude"));
  mkdirSync(join(project, ".claude/commands"), { recursive: true });
  writeFileSync(join(project, ".claude/commands/explain.md"), "Explain it to a newcomer: $ARGUMENTS\n");
  const script =
    '#!/bin/sh\n[ "$2" = --region ] && exit 0\necho "error: no region was configured" >&2\nexit 1\n';
  writeFileSync(join(project, "deliver.sh"), script, { mode: 0o755 });
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

/** Settings that mementor writes to: the client's, and those of Claude Code and of opencode's plugins. */
function settings(): Record<string, string | null> {
  const files = Object.keys(client.files(model.port)).map((name) => join(home, name));
  const others = [
    join(home, ".config/opencode/plugin/mementor.js"),
    join(home, ".codex/hooks.json"),
    join(home, ".copilot/hooks/mementor.json"),
    join(project, ".claude/settings.json"),
    join(project, ".claude/settings.local.json"),
  ];
  return Object.fromEntries(
    [...files, ...others].map((file) => [file, existsSync(file) ? readFileSync(file, "utf8") : null]),
  );
}

function environment(player: Client): Record<string, string> {
  return {
    HOME: home,
    TMPDIR: join(work, "tmp"),
    PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    TERM: "dumb",
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    ...player.env(model.port),
  };
}

async function run(command: readonly string[], stdin = "", player = client): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd: project,
    env: environment(player),
    stdin: Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
    timeout: CLIENT_MS,
  });
  const { stdout, stderr, exitCode } = await outcomeOf(child);
  if (exitCode !== 0) console.log(`      ${command.slice(-2).join(" ")}: exit code ${exitCode}\n${stderr}`);
  return stdout;
}

function mementor(...args: string[]): Promise<string> {
  return run([binary, ...args]);
}

/** Gives the client a prompt. Returns the requests that it made for an answer. */
function ask(prompt: string): Promise<string> {
  return requestsOf(() => run([...commandOf(client, folder), prompt]));
}

/** The same with Claude Code. */
function askClaude(prompt: string, flags: readonly string[] = []): Promise<string> {
  return requestsOf(() => run([...commandOf(CLAUDE, claudeFolder), ...flags, prompt], "", CLAUDE));
}

async function requestsOf(work: () => Promise<unknown>): Promise<string> {
  const before = readFileSync(log, "utf8").length;
  await work();
  const lines = readFileSync(log, "utf8").slice(before).split("\n");
  const isAnswer = (line: string) =>
    /(?:responses|completions|messages|enerateContent)"/.test(line.slice(0, 120));
  return lines.filter(isAnswer).join("\n");
}

/** What a session of Claude Code would be told. */
function claudeHook(prompt: string): Promise<string> {
  const input = { session_id: "played", cwd: project, hook_event_name: "UserPromptSubmit", prompt };
  return run([binary, "hook", "user-prompt-submit"], JSON.stringify(input));
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
  report("enable stores the trust, once it was agreed to", codex?.untrusted === 0);
}
