import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { registerMemory } from "../../../src/project/claim.ts";
import { updateRegistry } from "../../../src/project/registry.ts";
import { codexHooks, untrustedHooks, withoutTrust, withTrust } from "../../../src/setup/hooks/codex-trust.ts";
import {
  agentState,
  installForAgents,
  settingsPlace,
  uninstallForAgents,
} from "../../../src/setup/hooks/install.ts";
import { agentTargets } from "../../../src/setup/hooks/targets.ts";
import { rememberEdit } from "../../../src/setup/settings/settings-file.ts";

const NOW = new Date("2026-03-01T12:00:00Z");

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "mementor-agent-hooks-")));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const context = () => ({
  claudeDir: join(home, ".claude"),
  configDir: join(home, ".config/mementor"),
  dataDir: join(home, ".local/share/mementor"),
  self: ["/usr/bin/mementor"],
  platform: "linux" as const,
});
const targets = () => agentTargets({ env: {}, homeDir: home, platform: "linux" });
const target = (id: string) => targets().find((each) => each.id === id) ?? expect.unreachable(id);

function project(name: string): string {
  const root = join(home, name);
  mkdirSync(join(root, ".git"), { recursive: true });
  registerMemory(context(), root, { now: NOW, settings: [] });
  return root;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Settings as somebody may have them, to be found again to the byte. */
const THEIRS: Record<string, string> = {
  codex: '{\n\t"hooks": {\n\t\t"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]\n\t}\n}',
  gemini: '{\r\n  // my theme\r\n  "ui": { "hideTips": true, },\r\n  "hooks": {}\r\n}\r\n',
  cursor: '{\n  "version": 1,\n  "hooks": { "stop": [{ "command": "./say-done.sh" }] }\n}\n',
  droid: '{\n  // mine\n  "model": "x",\n  "hooks": { "Stop": [] }\n}\n',
  qwen: '{"privacy":{"usageStatisticsEnabled":false}}\n',
};

test.each(["codex", "cursor", "droid", "gemini", "qwen"])("%s gets its settings back to the byte", (id) => {
  const root = project("app");
  const { file } = target(id);
  const theirs = THEIRS[id] ?? "";
  write(file, theirs);
  expect(installForAgents([target(id)], root, context(), NOW)).toMatchObject([{ id, change: "changed" }]);
  expect(installForAgents([target(id)], root, context(), NOW)).toMatchObject([{ id, change: "unchanged" }]);
  expect(agentState(target(id), context())).toMatchObject({ stale: [], problem: null });
  expect(uninstallForAgents([target(id)], root, context())).toEqual([{ file, change: "changed" }]);
  expect(readFileSync(file, "utf8")).toBe(theirs);
});

test.each(targets_ids())("%s without settings has none again", (id) => {
  const root = project("app");
  const { file } = target(id);
  expect(installForAgents([target(id)], root, context(), NOW)).toMatchObject([{ change: "created" }]);
  expect(uninstallForAgents([target(id)], root, context())).toEqual([{ file, change: "removed" }]);
  expect(existsSync(file)).toBe(false);
});

function targets_ids(): string[] {
  return ["codex", "cursor", "gemini", "qwen", "copilot", "cursor", "droid", "opencode"];
}

test("Droid's hooks are in the file that it reads, and in none whose form is another", () => {
  const root = project("app");
  const [own, settings] = ["hooks.json", "settings.json"].map((name) => join(home, ".factory", name));
  expect(target("droid").file).toBe(settings as string);
  write(own as string, '{ "hooks": {} }');
  expect(target("droid").file).toBe(own as string);
  installForAgents([target("droid")], root, context(), NOW);
  expect(readFileSync(own as string, "utf8")).toContain("hook user-prompt-submit --from droid");
  const theirs = '{ "Stop": [] }';
  write(own as string, theirs);
  expect(() => installForAgents([target("droid")], root, context(), NOW)).toThrow(
    '"Stop" is not within "hooks"',
  );
  expect(readFileSync(own as string, "utf8")).toBe(theirs);
});

test("a plugin of another version is written anew, and one of somebody else stays", () => {
  const root = project("app");
  const opencode = target("opencode");
  installForAgents([opencode], root, context(), NOW);
  expect(agentState(opencode, context())).toMatchObject({ events: ["plugin"], stale: [] });
  const ours = readFileSync(opencode.file, "utf8");
  write(opencode.file, `${ours}// an earlier version\n`);
  expect(agentState(opencode, context())).toMatchObject({ events: ["plugin"], stale: ["plugin"] });
  expect(installForAgents([opencode], root, context(), NOW)).toMatchObject([{ change: "changed" }]);
  expect(readFileSync(opencode.file, "utf8")).toBe(ours);
  const theirs = "export const Mementor = () => ({});\n";
  write(opencode.file, theirs);
  expect(agentState(opencode, context())).toMatchObject({ events: [], stale: [] });
  expect(() => installForAgents([opencode], root, context(), NOW)).toThrow("was not written by mementor");
  expect(uninstallForAgents([opencode], root, context())).toMatchObject([{ change: "unchanged" }]);
  expect(readFileSync(opencode.file, "utf8")).toBe(theirs);
});

test("mementor's group is the last of its event, and timeouts are in the agent's unit", () => {
  const root = project("app");
  write(target("codex").file, THEIRS.codex ?? "");
  for (const id of targets_ids()) installForAgents([target(id)], root, context(), NOW);
  const read = (id: string) => JSON.parse(readFileSync(target(id).file, "utf8")).hooks;
  expect(read("codex").Stop.map(({ hooks }: { hooks: { command: string }[] }) => hooks[0]?.command)).toEqual([
    "say done",
    expect.stringContaining("hook stop --from codex"),
  ]);
  expect(read("codex").SessionEnd[0].hooks[0].timeout).toBe(3);
  expect(read("gemini").BeforeAgent[0].hooks[0]).toMatchObject({
    command: expect.stringContaining("hook user-prompt-submit --from gemini"),
    timeout: 10_000,
  });
  expect(read("qwen").UserPromptSubmit[0].hooks[0].timeout).toBe(10_000);
  expect(read("copilot").userPromptSubmitted[0]).toMatchObject({
    bash: expect.stringContaining("hook user-prompt-submit --from copilot"),
    timeoutSec: 10,
  });
});

test("Cursor's hooks stand beside others, without groups, and go out alone", () => {
  const root = project("app");
  const cursor = target("cursor");
  write(cursor.file, THEIRS.cursor ?? "");
  installForAgents([cursor], root, context(), NOW);
  const { version, hooks } = JSON.parse(readFileSync(cursor.file, "utf8"));
  expect([version, Object.keys(hooks)]).toEqual([
    1,
    ["stop", "sessionStart", "beforeSubmitPrompt", "preToolUse", "preCompact", "sessionEnd"],
  ]);
  expect(hooks.stop).toEqual([
    { command: "./say-done.sh" },
    { command: expect.stringContaining("hook stop --from cursor"), timeout: 5 },
  ]);
  expect(hooks.preToolUse).toEqual([
    {
      command: expect.stringContaining("hook pre-tool-use --from cursor"),
      timeout: 5,
      matcher: "Read|Write",
    },
  ]);
  // Somebody edits the file: what is theirs stays.
  write(cursor.file, readFileSync(cursor.file, "utf8").replace("./say-done.sh", "./say-more.sh"));
  expect(uninstallForAgents([cursor], root, context())).toMatchObject([{ change: "changed" }]);
  expect(JSON.parse(readFileSync(cursor.file, "utf8"))).toEqual({
    version: 1,
    hooks: { stop: [{ command: "./say-more.sh" }] },
  });
});

test("an older line of Cursor's hooks is written anew", () => {
  const root = project("app");
  const cursor = target("cursor");
  const old = '"$HOME/bin/mementor" hook stop --from cursor';
  write(cursor.file, JSON.stringify({ version: 1, hooks: { stop: [{ command: old }] } }));
  expect(agentState(cursor, context()).stale).toContain("stop");
  installForAgents([cursor], root, context(), NOW);
  expect(agentState(cursor, context())).toMatchObject({ stale: [], problem: null });
  expect(JSON.parse(readFileSync(cursor.file, "utf8")).hooks.stop).toHaveLength(1);
});

test("on Windows each agent starts PowerShell, and is told so where its settings can say it", () => {
  const root = project("app");
  const windows = agentTargets({ env: {}, homeDir: home, platform: "win32" });
  installForAgents(windows, root, context(), NOW);
  const stop = (id: string, event: string) => {
    const { file = "" } = windows.find((each) => each.id === id) ?? {};
    const [group] = JSON.parse(readFileSync(file, "utf8")).hooks[event];
    return group.hooks?.[0] ?? group;
  };
  const command = (id: string) =>
    `try { & "$env:USERPROFILE\\.local\\share\\mementor\\bin\\mementor.exe" hook stop --from ${id} } catch { }; exit 0`;
  expect(stop("codex", "Stop")).toEqual({ type: "command", command: command("codex"), timeout: 5 });
  expect(stop("gemini", "AfterAgent")).toEqual({
    type: "command",
    command: command("gemini"),
    timeout: 5000,
  });
  expect(stop("qwen", "Stop")).toEqual({
    type: "command",
    command: command("qwen"),
    timeout: 5000,
    shell: "powershell",
  });
  expect(stop("copilot", "agentStop")).toEqual({
    type: "command",
    powershell: command("copilot"),
    timeoutSec: 5,
  });
  for (const each of windows) expect(agentState(each, context())).toMatchObject({ stale: [], problem: null });
  expect(uninstallForAgents(windows, root, context()).map(({ change }) => change)).toEqual(
    windows.map(() => "removed"),
  );
});

test("hooks stay as long as another project wants them", () => {
  const [one, two] = [project("one"), project("two")];
  const { file } = target("gemini");
  for (const root of [one, two]) installForAgents([target("gemini")], root, context(), NOW);
  expect(uninstallForAgents([target("gemini")], one, context())).toEqual([]);
  updateRegistry(context().configDir, (registry) => ({
    ...registry,
    projects: registry.projects.map((record) => ({ ...record, enabled: record.root !== one })),
  }));
  expect(uninstallForAgents([target("gemini")], two, context())).toEqual([{ file, change: "removed" }]);
});

test("settings that cannot be edited are left alone and said so", () => {
  const { file } = target("qwen");
  write(file, '{ "hooks": [');
  expect(() => installForAgents([target("qwen")], project("app"), context(), NOW)).toThrow(
    "cannot be edited",
  );
  expect(readFileSync(file, "utf8")).toBe('{ "hooks": [');
  expect(agentState(target("qwen"), context()).problem).toContain("cannot be edited");
});

describe("Codex's trust", () => {
  const isOwn = (command: string) => command.includes("mementor");
  const config = 'model = "gpt-5.5"\n\n[analytics]\nenabled = false\n';
  const trusted = (file: string, text = config) =>
    `${text}\n[hooks.state]\n${codexHooks(file, isOwn)
      .map(({ key, hash }) => `\n[hooks.state."${key}"]\ntrusted_hash = "${hash}"\n`)
      .join("")}`;

  // The client's own hash of this definition.
  test("is a hash over the definition of a hook", () => {
    const file = join(home, "hooks.json");
    const command = "/home/dev/bin/record.sh SessionStart context";
    write(
      file,
      JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: "command", command, timeout: 20 }] }] } }),
    );
    expect(codexHooks(file, () => true)).toEqual([
      {
        key: `${file}:session_start:0:0`,
        hash: "sha256:4f467b5cf9e5299e50ac595c47484bccda55820feb939faca40cb958924315e9",
      },
    ]);
  });

  test("is missing after an install, there once it is stored, and missing again when another group comes first", () => {
    const root = project("app");
    const { file } = target("codex");
    expect(installForAgents([target("codex")], root, context(), NOW)).toMatchObject([{ untrusted: 7 }]);
    write(join(dirname(file), "config.toml"), trusted(file));
    expect(agentState(target("codex"), context()).untrusted).toBe(0);
    const hooks = JSON.parse(readFileSync(file, "utf8"));
    hooks.hooks.Stop.unshift({ hooks: [{ type: "command", command: "say done" }] });
    write(file, JSON.stringify(hooks));
    expect(
      untrustedHooks(codexHooks(file, isOwn), trusted(file, "").replaceAll(":stop:1:0", ":stop:9:0")),
    ).toHaveLength(1);
    expect(agentState(target("codex"), context()).untrusted).toBe(1);
  });

  test("is added to what is there, once, and to nothing that could not be read then", () => {
    const root = project("app");
    const { file } = target("codex");
    installForAgents([target("codex")], root, context(), NOW);
    const hooks = codexHooks(file, isOwn);
    const text = withTrust(config, hooks) ?? "";
    expect(text).toStartWith(config);
    expect(untrustedHooks(hooks, text)).toEqual([]);
    expect(withTrust(text, hooks)).toBe(text);
    expect(withoutTrust(text, new Set(hooks.map(({ key }) => key)))).toBe(config);
    expect(withTrust("hooks = { state = {} }", hooks)).toBeNull();
  });

  test("is removed with the hooks, byte for byte if the file was not edited since", () => {
    const root = project("app");
    const { file } = target("codex");
    const toml = join(dirname(file), "config.toml");
    write(toml, config);
    installForAgents([target("codex")], root, context(), NOW);
    write(toml, trusted(file));
    rememberEdit(settingsPlace(toml, context()), config);
    uninstallForAgents([target("codex")], root, context());
    expect(readFileSync(toml, "utf8")).toBe(config);
    expect(existsSync(file)).toBe(false);
  });

  test("in others' hooks, and what was edited since, stays", () => {
    const root = project("app");
    const { file } = target("codex");
    const toml = join(dirname(file), "config.toml");
    write(toml, config);
    installForAgents([target("codex")], root, context(), NOW);
    const other = '\n[hooks.state."/elsewhere/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:00"\n';
    write(toml, `${trusted(file)}${other}\n[projects."/app"]\ntrust_level = "trusted"\n`);
    uninstallForAgents([target("codex")], root, context());
    expect(readFileSync(toml, "utf8")).toBe(
      `${config}\n[hooks.state]\n\n${other.trimStart()}\n[projects."/app"]\ntrust_level = "trusted"\n`,
    );
    expect(withoutTrust(config, new Set(["x"]))).toBe(config);
  });
});
