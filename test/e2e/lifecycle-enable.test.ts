import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { onOneLine } from "../../src/text/lines.ts";
import { enabled } from "../support/enabled.ts";
import { longHistory, longTranscript, sampleHistory } from "../support/history.ts";
import { BINARY, type RunOptions, Sandbox } from "../support/sandbox.ts";
import { until } from "../support/wait.ts";
import { untilEmbedded } from "./client.ts";

/** Conversations of the sample with decisions, and no more than are soon embedded. */
const FEW = ["27c96b1d-3e4f-4a50-b867-8d7c6b5a4f11.jsonl", "1b7c0a52-6f1e-4c7d-9a35-2d0e8f41c601.jsonl"];
const TURNS_OF_FEW = 11;
const RUST_DATABASES = join(import.meta.dir, "..", "..", "fixtures", "databases");

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.create({ model: "quick" });
});
afterEach(() => sandbox[Symbol.asyncDispose]());

const settings = (name = "settings.local.json") => join(sandbox.project, ".claude", name);
const tree = (...names: string[]) => join(sandbox.project, ".mementor", ...names);
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

async function json(args: string[], options: RunOptions = {}) {
  const { stdout, exitCode } = await sandbox.run([...args, "--json"], options);
  return { exitCode, ...JSON.parse(stdout) };
}

/** How many turns a database holds that another process writes; 0 as long as it is not to be read. */
function turnsIn(file: string): number {
  try {
    using database = new Database(file, { readonly: true });
    return database.query<{ n: number }, []>("SELECT count(*) AS n FROM turns").get()?.n ?? 0;
  } catch {
    return 0;
  }
}

describe("enable", () => {
  test("makes a private memory, unpacks what hooks need, and says what to do next", async () => {
    const own = join(sandbox.home, ".cache");
    const { stdout, exitCode } = await sandbox.run(["enable"], { env: { XDG_CACHE_HOME: own } });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("this project has no earlier conversations");
    const memory = (...names: string[]) => sandbox.memory(...names);
    expect([memory(), memory("mementor.db"), memory("..")].map(modeOf)).toEqual(["700", "600", "700"]);
    expect([tree(), tree(".gitignore"), tree("pointer.json")].map(modeOf)).toEqual(["700", "600", "600"]);
    expect(readFileSync(tree(".gitignore"), "utf8")).toBe("*\n");
    expect(readdirSync(join(own, "mementor"))).toHaveLength(1);
    expect(modeOf(join(sandbox.home, ".config", "mementor", "projects.json"))).toBe("600");
  });

  test("reads the history at once with --yes, shows a question that recall answers, and embeds in the background", async () => {
    sampleHistory(sandbox.home, sandbox.project, FEW);
    const result = await json(["enable", "--yes"]);
    expect(result).toMatchObject({ exitCode: 0, memory: "created", scope: "local", without_vectors: null });
    expect(result.history).toMatchObject({
      sessions: FEW.length,
      interrupted: false,
      read: { turns: { inserted: TURNS_OF_FEW } },
    });
    const [{ query, says }, ...others] = result.recalls;
    expect([query, others]).toEqual(["single html. do we need puppeteer/chromium for this?", []]);
    expect(await untilEmbedded(sandbox)).toMatchObject({ turns: TURNS_OF_FEW, pending_chunks: 0 });
    // What was answered by words alone is answered so with vectors, too.
    const [best] = (await json(["recall", query])).results;
    expect(best.said.map(({ text }: { text: string }) => onOneLine(text))).toContain(says);
    const again = await json(["enable"]);
    expect(again.settings).toEqual([{ file: settings(), change: "unchanged" }]);
    expect(again.history.read.turns).toEqual({ inserted: 0, updated: 0 });
  });

  test("reads the history in the background where nobody answers", async () => {
    const turns = longHistory(sandbox.home, sandbox.project, 3, 2);
    const result = await json(["enable"]);
    expect(result.history).toMatchObject({ sessions: 3, background: true, read: null });
    await until("the worker has read it", () => turnsIn(sandbox.memory("mementor.db")) === turns);
    expect(await untilEmbedded(sandbox)).toMatchObject({ turns, pending_chunks: 0 });
  });

  test("leaves the history alone when told to", async () => {
    sampleHistory(sandbox.home, sandbox.project);
    const { stdout } = await sandbox.run(["enable", "--no-history"]);
    expect(stdout).toContain("12 earlier conversations left unread");
    expect((await json(["status"])).database.content.turns).toBe(0);
  });

  test("keeps the hooks to the user unless they are to be shared, and then where they are", async () => {
    const bin = join(sandbox.root, "bin");
    mkdirSync(bin);
    symlinkSync(BINARY, join(bin, "mementor"));
    const PATH = `${bin}:/usr/bin:/bin`;
    const shared = await json(["enable", "--scope", "project"], { env: { PATH } });
    expect(shared).toMatchObject({ scope: "project", settings: [{ file: settings("settings.json") }] });
    const text = readFileSync(settings("settings.json"), "utf8");
    expect([text.includes(BINARY), text.includes(sandbox.root)]).toEqual([false, false]);
    expect((await json(["enable"])).scope).toBe("project");
    await sandbox.run(["disable"]);
    expect((await json(["enable"], { env: { PATH } })).scope).toBe("local");
    const command = (file: string) => JSON.parse(file).hooks.Stop[0].hooks[0].command;
    expect(command(readFileSync(settings(), "utf8"))).toBe(command(text));
  });

  test("installs the program where hooks look for it, and brings it up to date from any path", async () => {
    const installed = join(sandbox.home, ".local/share/mementor/bin/mementor");
    for (const name of ["my tools", "it's\\here"]) {
      const directory = join(sandbox.root, name);
      mkdirSync(directory);
      const binary = join(directory, "mementor");
      copyFileSync(BINARY, binary);
      const options = { cwd: sandbox.project, env: sandbox.env(), stdout: "pipe", stderr: "pipe" } as const;
      expect(await Bun.spawn([binary, "enable", "--no-history"], options).exited).toBe(0);
      expect(statSync(installed).ino).toBe(statSync(binary).ino);
      rmSync(directory, { recursive: true });
      const { hooks } = JSON.parse(readFileSync(settings(), "utf8"));
      const [group, ...others] = hooks.Stop;
      expect([others, group.hooks.length]).toEqual([[], 1]);
      const run = Bun.spawn(["sh", "-c", group.hooks[0].command], { ...options, stdin: Buffer.from("{}") });
      expect([await run.exited, await run.stderr.text()]).toEqual([0, ""]);
    }
    expect(readdirSync(join(installed, ".."))).toEqual(["mementor"]);
  });
});

describe("settings", () => {
  const OTHERS = `{
  // mine
  "permissions": { "allow": ["Bash(ls:*)"] },
  "hooks": {
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }],
    "UserPromptSubmit": []
  },
  "unknown": [1, 2,], /* kept */
}
`;

  test.each([
    ["empty object", "{}"],
    ["empty file", ""],
    ["one line", '{"model":"opus"}'],
    ["comments, trailing commas, other hooks", OTHERS],
    ["tabs", '{\n\t"model": "opus",\n\t"hooks": {}\n}\n'],
    ["CRLF", OTHERS.replaceAll("\n", "\r\n")],
    ["BOM", `\ufeff${OTHERS}`],
    ["no newline at the end", OTHERS.trimEnd()],
  ])("%s: byte for byte the same after enable and disable", async (_name, text) => {
    const files = [
      ["project", "settings.json"],
      ["local", "settings.local.json"],
    ] as const;
    mkdirSync(join(sandbox.project, ".claude"), { recursive: true });
    for (const [scope, name] of files) {
      writeFileSync(settings(name), text);
      await enabled(sandbox, sandbox.project, { scope });
      expect(readFileSync(settings(name), "utf8")).toContain("hook stop");
      const { exitCode } = await sandbox.run(["disable"]);
      expect([exitCode, readFileSync(settings(name), "utf8")]).toEqual([0, text]);
    }
  });

  test("none: none afterwards, and no directory that was not there", async () => {
    await sandbox.run(["enable", "--no-history"]);
    await sandbox.run(["disable"]);
    expect(existsSync(join(sandbox.project, ".claude"))).toBe(false);
    const memory = sandbox.memory();
    expect(existsSync(join(memory, "mementor.db"))).toBe(true);
    const asked = await sandbox.run(["disable", "--purge"]);
    expect([asked.exitCode, asked.stderr.includes("--yes"), existsSync(memory)]).toEqual([64, true, true]);
    await sandbox.run(["disable", "--purge", "--yes"]);
    expect([existsSync(memory), existsSync(tree())]).toEqual([false, false]);
  });

  test("a symbolic link within the project stays one, and its target is edited", async () => {
    const target = join(sandbox.project, "dotfiles.json");
    writeFileSync(target, OTHERS);
    mkdirSync(join(sandbox.project, ".claude"));
    symlinkSync(target, settings());
    await sandbox.run(["enable", "--no-history", "--scope", "local"]);
    expect(lstatSync(settings()).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toContain("hook stop");
    await sandbox.run(["disable"]);
    expect([lstatSync(settings()).isSymbolicLink(), readFileSync(target, "utf8")]).toEqual([true, OTHERS]);
  });

  test.each<[string, "project" | "user", (target: string) => void]>([
    ["a file outside the project", "project", (target) => writeFileSync(target, "{}")],
    ["nothing", "project", () => {}],
    ["nothing, of the user's own", "user", () => {}],
  ])("a link to %s is not written through", async (_name, scope, put) => {
    const target = join(sandbox.root, "target.json");
    put(target);
    const before = existsSync(target);
    const top = scope === "user" ? sandbox.home : sandbox.project;
    mkdirSync(join(top, ".claude"), { recursive: true });
    symlinkSync(target, join(top, ".claude", "settings.json"));
    const { exitCode, stderr } = await sandbox.run(["enable", "--no-history", "--scope", scope]);
    expect([exitCode, stderr.includes("is a link")]).toEqual([1, true]);
    expect([existsSync(target), existsSync(tree())]).toEqual([before, false]);
    if (before) expect(readFileSync(target, "utf8")).toBe("{}");
  });

  test("one that does not parse is left alone, with its line, and nothing is half enabled", async () => {
    const text = '{\n  "hooks": {\n    "Stop": [}\n}\n';
    mkdirSync(join(sandbox.project, ".claude"));
    writeFileSync(settings("settings.json"), text);
    const { exitCode, stdout, stderr } = await sandbox.run(["enable", "--scope", "project"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(`${settings("settings.json")} cannot be edited`);
    expect(stderr).toContain("line 3");
    expect(readFileSync(settings("settings.json"), "utf8")).toBe(text);
    expect(existsSync(tree())).toBe(false);
  });
});

describe("Ctrl-C", () => {
  test("in the middle of the import keeps what was read; ingest reads the rest", async () => {
    const turns = longHistory(sandbox.home, sandbox.project, 30, 20);
    const child = sandbox.start(["enable", "--history"]);
    const stderr = child.stderr.getReader();
    await stderr.read();
    await until("the first turns are stored", () => turnsIn(sandbox.memory("mementor.db")) > 0);
    child.kill("SIGINT");
    const stdout = await child.stdout.text();
    expect(await child.exited).toBe(130);
    expect(stdout).toContain('"mementor ingest" reads the rest');
    const { database, trust } = await json(["status"]);
    expect(trust).toBe("trusted");
    expect(database.content.turns).toBeGreaterThan(0);
    expect(database.content.turns).toBeLessThan(turns);
    await sandbox.run(["ingest", "--text-only"]);
    expect((await json(["status"])).database.content.turns).toBe(turns);
  });

  test("at any moment leaves settings that are whole, and a project that can be enabled", async () => {
    const text = '{\n  "model": "opus"\n}';
    mkdirSync(join(sandbox.project, ".claude"));
    writeFileSync(settings(), text);
    const moments: [string, () => boolean][] = [
      ["it has started", () => true],
      ["the directory is there", () => existsSync(sandbox.memory())],
      ["the database is there", () => existsSync(sandbox.memory("mementor.db"))],
      ["something was written beside the settings", () => readdirSync(join(settings(), "..")).length > 1],
      ["the settings changed", () => readFileSync(settings(), "utf8") !== text],
      ["it has ended", () => false],
    ];
    for (const [moment, hasCome] of moments) {
      const child = sandbox.start(["enable", "--no-history", "--scope", "local"]);
      await until(moment, () => hasCome() || child.exitCode !== null);
      child.kill("SIGINT");
      await child.exited;
      JSON.parse(readFileSync(settings(), "utf8"));
    }
    expect((await sandbox.run(["enable", "--no-history"])).exitCode).toBe(0);
    expect((await json(["status"])).trust).toBe("trusted");
    expect(readdirSync(join(sandbox.project, ".claude"))).toEqual(["settings.local.json"]);
    await sandbox.run(["disable"]);
    expect(readFileSync(settings(), "utf8")).toBe(text);
  });
});

describe("a memory that was not made here", () => {
  const refusal = "was not made here";

  /** Puts what an older version left on another machine into the project: a database with one turn, and more. */
  async function archive(): Promise<void> {
    const other = await Sandbox.create({ model: "quick" });
    await enabled(other);
    const file = join(other.root, "t.jsonl");
    writeFileSync(file, longTranscript(other.project));
    await other.run(["ingest", file, "--text-only"]);
    mkdirSync(tree(), { recursive: true });
    cpSync(other.memory(), tree(), { recursive: true });
    writeFileSync(tree("id"), basename(other.memory()));
    writeFileSync(tree("config.json"), '{"log": {"level": "debug"}, "exclude": {"paths": ["secrets/**"]}}');
    await other[Symbol.asyncDispose]();
  }

  test("is neither read nor written, by commands and by hooks, until it is taken over", async () => {
    await archive();
    const before = readdirSync(tree()).sort().join();
    for (const args of [["search", "x"], ["show", "1"], ["ingest"], ["told", "--log"]]) {
      const { exitCode, stdout, stderr } = await sandbox.run(args);
      expect({ args, exitCode, stdout, refused: stderr.includes(refusal) }).toEqual({
        args,
        exitCode: 1,
        stdout: "",
        refused: true,
      });
      expect(stderr).toContain("mementor enable --adopt");
    }
    const input = { cwd: sandbox.project, session_id: "s", prompt: "why did we choose sqlite" };
    const hook = await sandbox.hook("user-prompt-submit", input, { env: { MEMENTOR_SEARCH_GATE: "off" } });
    expect([hook.exitCode, hook.stdout, hook.stderr]).toEqual([0, "", ""]);
    const refused = await sandbox.run(["enable", "--no-history"]);
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("--adopt")]);
    expect((await sandbox.run(["status"])).stdout).toMatch(
      /^Next +Whoever made it .*take it over with "mementor enable --adopt"; otherwise delete it\.$/m,
    );
    expect(readdirSync(tree()).sort().join()).toBe(before);
    const adopted = await sandbox.run(["enable", "--no-history", "--adopt"]);
    expect([adopted.exitCode, adopted.stderr]).toEqual([0, ""]);
    expect(adopted.stdout).toStartWith(
      `Takes     ${tree("mementor.db")}\n          20 turns of 1 session, made by mementor\n`,
    );
    const { trust, database } = await json(["status"]);
    expect([trust, database.file, database.content.turns]).toEqual([
      "trusted",
      sandbox.memory("mementor.db"),
      20,
    ]);
    expect(existsSync(tree("mementor.db"))).toBe(false);
  });

  test("its configuration can only leave out more", async () => {
    await archive();
    await sandbox.run(["enable", "--no-history", "--adopt"]);
    const { settings, problems } = await json(["config"]);
    const of = (key: string) => settings.find((setting: { key: string }) => setting.key === key);
    expect([of("log.level").value, of("exclude.paths").value]).toEqual(["info", ["secrets/**"]]);
    expect(problems).toEqual([
      { where: tree("config.json"), key: "log.level", message: 'this file can only set "exclude"' },
    ]);
  });

  test("a database that is slipped into the place of a memory is refused", async () => {
    await enabled(sandbox);
    const other = await Sandbox.create({ model: "quick" });
    await enabled(other);
    copyFileSync(other.memory("mementor.db"), sandbox.memory("mementor.db"));
    await other[Symbol.asyncDispose]();
    expect((await sandbox.run(["search", "x"])).stderr).toContain(refusal);
    expect((await json(["status"])).database.problem).toContain(refusal);
    const named = await sandbox.run(["search", "x", "--db", sandbox.memory("mementor.db")]);
    expect(named.exitCode).toBe(0);
    expect((await sandbox.run(["enable", "--no-history"])).exitCode).toBe(1);
    expect((await sandbox.run(["enable", "--no-history", "--adopt"])).exitCode).toBe(0);
    expect((await sandbox.run(["search", "x"])).exitCode).toBe(0);
  });

  test("the Rust tool's database in the tree is taken over when told to, and a copy of it is kept", async () => {
    mkdirSync(tree());
    copyFileSync(join(RUST_DATABASES, "rust-v4.db"), tree("mementor.db"));
    expect((await sandbox.run(["enable", "--no-history"])).exitCode).toBe(1);
    const { taken, memory } = await json(["enable", "--no-history", "--adopt"]);
    expect([memory, taken.holds.made_by]).toEqual(["adopted", "the Rust tool"]);
    expect((await json(["status"])).database.content.turns).toBe(taken.holds.turns);
    expect(existsSync(sandbox.memory("mementor.db.rust-v4.bak"))).toBe(true);
  });

  test("a project that was moved takes its memory along when told to, and not before", async () => {
    await enabled(sandbox);
    const place = sandbox.memory();
    const moved = join(sandbox.root, "moved");
    renameSync(sandbox.project, moved);
    const hook = await sandbox.hook("stop", { cwd: moved, session_id: "s" }, { cwd: moved });
    expect([hook.exitCode, hook.stdout]).toEqual([0, ""]);
    const refused = await sandbox.run(["enable", "--no-history"], { cwd: moved });
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining(sandbox.project)]);
    const { memory, memory_directory } = await json(["enable", "--no-history", "--adopt"], { cwd: moved });
    expect([memory, memory_directory]).toEqual(["adopted", place]);
    expect((await json(["status"], { cwd: moved })).trust).toBe("trusted");
  });
});
