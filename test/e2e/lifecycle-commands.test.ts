import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadCommands } from "../../src/cli/command-line/parse.ts";
import { enabled } from "../support/enabled.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await Sandbox.create();
  await enabled(sandbox);
});
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
});

/** Runs a command line in a shell on a terminal. */
async function onTerminal(command: string, env: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn(["script", "-qec", command, "/dev/null"], {
    cwd: sandbox.project,
    env: sandbox.env({ TERM: "xterm", ...env }),
    stdin: "ignore",
    stdout: "pipe",
  });
  return child.stdout.text();
}

async function shell(...command: string[]): Promise<string> {
  const env = sandbox.env({ PATH: `${join(sandbox.root, "bin")}:/usr/bin:/bin` });
  const child = Bun.spawn(command, {
    cwd: sandbox.project,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect(stderr).toBe("");
  return stdout;
}

describe("help", () => {
  test("names every command, and each command's help has examples", async () => {
    const { stdout: first, exitCode } = await sandbox.run(["--help"]);
    expect(exitCode).toBe(0);
    const stdout = first + (await sandbox.run(["help", "programs"])).stdout;
    const visible = (await loadCommands()).filter(({ help }) => help !== undefined);
    expect(visible.filter(({ name }) => !new RegExp(`^  ${name}\\b`, "m").test(stdout))).toEqual([]);
    expect(stdout.split("\n").filter((line) => line.length > 120)).toEqual([]);
    for (const { name, summary, examples } of visible) {
      const help = await sandbox.run(["help", name]);
      expect(help.stdout).toBe((await sandbox.run([name, "--help"])).stdout);
      expect(help.stdout).toStartWith(summary);
      expect(examples.filter((example) => !help.stdout.includes(example))).toEqual([]);
      expect(examples.length).toBeGreaterThan(0);
    }
  });

  test.each([
    [["staus"], 'Did you mean "mementor status"?'],
    [["help", "doctr"], 'Did you mean "mementor help doctor"?'],
    [["doctor", "--fxi"], 'Did you mean "--fix"?'],
    [["frobnicate"], "mementor --help"],
    [["completions", "tcsh"], "bash, zsh, fish or powershell"],
    [["enable", "--scope", "team"], '--scope must be local, project or user, not "team".'],
    [["told", "--log", "-n", "many"], "-n must be a whole number"],
  ])("%p exits 64 and helps", async (args, hint) => {
    const { exitCode, stdout, stderr } = await sandbox.run(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 64, stdout: "" });
    expect(stderr).toContain(hint);
  });
});

describe("colours", () => {
  test.skipIf(!Bun.which("script"))("only on a terminal, and never with NO_COLOR", async () => {
    const command = `'${BINARY}' status`;
    expect(await onTerminal(command)).toContain("\x1b[");
    expect(await onTerminal(command, { NO_COLOR: "1" })).not.toContain("\x1b[");
    expect(await onTerminal(command, { TERM: "dumb" })).not.toContain("\x1b[");
    expect(await onTerminal(`${command} | cat`)).not.toContain("\x1b[");
  });
});

describe("status", () => {
  test("shows the last hook calls once there are some", async () => {
    const { stdout } = await sandbox.run(["status"]);
    expect(stdout).toStartWith(
      "Working   yes, from the next session on: no hook was called yet\nHolds     nothing yet\nTold      nothing yet\n\nProject ",
    );
    expect(stdout).toContain("Calls     none yet");
    const { never_called, hooks } = JSON.parse((await sandbox.run(["status", "--json"])).stdout);
    expect(never_called).toBe(true);
    expect(
      hooks.map(({ scope, events }: { scope: string; events: string[] }) => [scope, events.length]),
    ).toEqual([
      ["user", 0],
      ["project", 0],
      ["local", 8],
    ]);
  });
});

describe("config", () => {
  test("shows values with their origins, and names what is not used", async () => {
    const user = join(sandbox.home, ".config", "mementor", "config.json");
    const own = sandbox.memory("config.json");
    writeFileSync(user, '{ "search": { "k": 7, "gate": "open" }, "budgets": { "prompt": 900 } }');
    writeFileSync(own, '{ "search": { "k": 8 } }');
    const env = { MEMENTOR_BUDGETS_PROMPT: "800", MEMENTOR_SEARCH_PROMPT_K: "lots" };
    const { settings, problems } = JSON.parse((await sandbox.run(["config", "--json"], { env })).stdout);
    const of = (key: string) => settings.find((setting: { key: string }) => setting.key === key);
    expect(of("search.k")).toMatchObject({ value: 8, origin: own, variable: "MEMENTOR_SEARCH_K" });
    expect(of("budgets.prompt")).toMatchObject({ value: 800, origin: "MEMENTOR_BUDGETS_PROMPT" });
    expect(of("search.gate")).toMatchObject({ value: "normal", origin: "default" });
    expect(problems.map(({ where, key }: { where: string; key: string }) => [where, key])).toEqual([
      ["MEMENTOR_SEARCH_PROMPT_K", "search.promptK"],
      [user, "search.gate"],
    ]);
    const text = await sandbox.run(["config"], { env });
    expect(text.exitCode).toBe(0);
    expect(text.stdout).toMatch(/^search\.k +8 +\S+\/config\.json$/m);
    expect(text.stdout).toContain(`Ignored   ${user}: search.gate`);
    rmSync(user);
    rmSync(own);
  });
});

describe("log", () => {
  const line = (time: string, level: string, event: string) =>
    `${JSON.stringify({ time: `2026-01-02T03:04:${time}Z`, level, pid: 1, event, n: 1 })}\n`;
  const file = () => sandbox.memory("log", "mementor.jsonl");

  test("shows the last lines of a level, rendered or as they are, and follows", async () => {
    mkdirSync(sandbox.memory("log"), { recursive: true });
    const lines = [
      line("01", "info", "a"),
      line("02", "error", "b"),
      line("03", "warn", "c"),
      line("04", "info", "d"),
    ];
    writeFileSync(file(), lines.join(""));
    const env = { TZ: "UTC" };
    const shown = async (...args: string[]) =>
      (await sandbox.run(["told", "--log", ...args], { env })).stdout;
    expect(await shown("-n", "2", "--json")).toBe(lines.slice(2).join(""));
    expect(await shown("--level", "warn")).toBe(
      "2026-01-02 03:04:02 error b  n=1\n2026-01-02 03:04:03 warn  c  n=1\n",
    );
    const child = sandbox.start(["told", "--log", "-f", "-n", "1", "--json"]);
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe(lines[3] ?? "");
    appendFileSync(file(), line("05", "info", "e"));
    expect((await reader.read()).value).toBe(line("05", "info", "e"));
    child.kill("SIGINT");
    expect(await child.exited).toBe(0);
  });
});

describe("completions", () => {
  const script = (name: string) => join(sandbox.root, `completions.${name}`);
  beforeAll(async () => {
    mkdirSync(join(sandbox.root, "bin"));
    symlinkSync(BINARY, join(sandbox.root, "bin/mementor"));
    for (const name of ["bash", "zsh", "fish"])
      writeFileSync(script(name), (await sandbox.run(["completions", name])).stdout);
  });

  test.skipIf(!Bun.which("bash"))("bash completes commands, options and values", async () => {
    const complete = async (...words: string[]) => {
      const list = words.map((word) => `'${word}'`).join(" ");
      const source = `source '${script("bash")}'; COMP_WORDS=(mementor ${list}); COMP_CWORD=${words.length}; _mementor; echo "\${COMPREPLY[*]}"`;
      return (await shell("bash", "-c", source)).trim();
    };
    expect(await shell("bash", "-c", `source '${script("bash")}'; complete -p mementor`)).toBe(
      "complete -o default -F _mementor mementor\n",
    );
    expect(await complete("se")).toBe("search sessions");
    expect(await complete("doctor", "--f")).toBe("--fix");
    expect(await complete("enable", "--scope", "")).toBe("local project user");
    expect(await complete("--db", "x.db", "completions", "")).toBe("bash zsh fish powershell");
    expect(await complete("ingest", "")).toBe("");
  });

  test.skipIf(!Bun.which("zsh"))("zsh accepts them", async () => {
    const source = `compdef() { print -r -- $1 $2 }; source '${script("zsh")}'; whence -w _mementor`;
    expect(await shell("zsh", "-fc", source)).toBe("_mementor mementor\n_mementor: function\n");
  });

  test.skipIf(!Bun.which("fish"))("fish completes commands, options and values", async () => {
    const complete = (line: string) =>
      shell("fish", "-N", "-c", `source '${script("fish")}'; complete -C '${line}'`);
    expect(await complete("mementor sta")).toMatch(/^status\t.*\n$/);
    expect(await complete("mementor doctor --f")).toBe(
      "--fix\tRepair what can be repaired; nothing is deleted\n",
    );
    expect(await complete("mementor enable --scope l")).toMatch(/^local\b/);
  });

  test.skipIf(!Bun.which("pwsh"))("PowerShell completes commands and values", async () => {
    writeFileSync(script("ps1"), (await sandbox.run(["completions", "powershell"])).stdout);
    const complete = (line: string) =>
      shell(
        "pwsh",
        ...["-NoProfile", "-Command"],
        `. '${script("ps1")}'; (TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText -join ' '`,
      );
    expect(await complete("mementor sta")).toBe("status\n");
    expect(await complete("mementor enable --scope l")).toBe("local\n");
  });
});
