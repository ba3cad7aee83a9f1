import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hasServer, MCP_AGENTS, mcpTargets, registerMcp, unregisterMcp } from "../../src/setup/mcp.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "mementor-agent-mcp-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const config = () => join(home, ".config/mementor");
const target = (id: string) => {
  const all = mcpTargets({ env: {}, homeDir: home, platform: "linux" }, "/bin/mementor");
  return all.find((each) => each.id === id) ?? expect.unreachable(id);
};

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Configurations as somebody may have them, to be found again to the byte. */
const THEIRS: Record<string, string> = {
  codex: 'model = "gpt-5.5"\n\n[analytics]\nenabled = false',
  gemini: '{\r\n  // servers\r\n  "mcpServers": { "other": { "command": "x" } },\r\n}\r\n',
  opencode: '{"$schema":"https://opencode.ai/config.json"}',
  cline: '\ufeff{"mcpServers":{}}',
};

test.each([...MCP_AGENTS])("%s starts the server, and its configuration can be had back", (id) => {
  const { file, path } = target(id);
  const theirs = THEIRS[id];
  if (theirs !== undefined) write(file, theirs);
  const change = theirs === undefined ? "created" : "changed";
  expect(registerMcp([target(id)], config())).toMatchObject([{ id, change }]);
  expect(registerMcp([target(id)], config())).toMatchObject([{ id, change: "kept" }]);
  const text = readFileSync(file, "utf8");
  const settings = id === "codex" ? Bun.TOML.parse(text) : Bun.JSONC.parse(text.replace("\ufeff", ""));
  const server = (
    settings as Record<string, Record<string, { command: string | string[]; args?: string[] }>>
  )[path]?.mementor;
  expect([server?.command, server?.args ?? []].flat(2)).toEqual(["/bin/mementor", "mcp"]);
  unregisterMcp([target(id)], config());
  expect(existsSync(file) ? readFileSync(file, "utf8") : undefined).toBe(theirs as string);
});

test.each(["codex", "gemini"])("what was edited since stays in %s's configuration", (id) => {
  const { file } = target(id);
  const theirs = THEIRS[id] ?? "";
  write(file, theirs);
  registerMcp([target(id)], config());
  const edit = (text: string) => text.replace("enabled = false", "enabled = true").replace('"x"', '"y"');
  write(file, edit(readFileSync(file, "utf8")));
  unregisterMcp([target(id)], config());
  expect(readFileSync(file, "utf8").trimEnd()).toBe(edit(theirs).trimEnd());
});

test("a server of that name that is another's stays", () => {
  const { file } = target("qwen");
  const theirs = '{"mcpServers":{"mementor":{"command":"mine"}}}';
  write(file, theirs);
  expect(registerMcp([target("qwen")], config())).toMatchObject([{ change: "kept" }]);
  unregisterMcp([target("qwen")], config());
  expect(readFileSync(file, "utf8")).toBe(theirs);
});

test("opencode's settings are those that are there, in any of their forms", () => {
  expect(target("opencode").file).toBe(join(home, ".config/opencode/opencode.json"));
  const theirs = '{ // mine\n  "mcp": {},\n}\n';
  const file = join(home, ".config/opencode/opencode.jsonc");
  write(file, theirs);
  expect(target("opencode").file).toBe(file);
  expect([hasServer(target("opencode")), registerMcp([target("opencode")], config())]).toMatchObject([
    false,
    [{ file, change: "changed" }],
  ]);
  expect(hasServer(target("opencode"))).toBe(true);
  unregisterMcp([target("opencode")], config());
  expect(readFileSync(file, "utf8")).toBe(theirs);
});

test("an agent counts as used by its settings or its sessions", () => {
  const used = () =>
    mcpTargets({ env: {}, homeDir: home, platform: "linux" }, "/bin/mementor").flatMap(({ id, isPresent }) =>
      isPresent ? id : [],
    );
  expect(used()).toEqual([]);
  mkdirSync(join(home, ".local/share/opencode"), { recursive: true });
  mkdirSync(join(home, ".cline/data/sessions"), { recursive: true });
  expect(used()).toEqual(["opencode", "cline"]);
});
