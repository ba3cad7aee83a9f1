import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import Ajv from "ajv";
import { version } from "../../../package.json";
import { TOOLS } from "../../../src/mcp/tools.ts";
import { pluginFiles } from "../../../src/setup/plugin/plugin.ts";
import { hookCommand } from "../../../src/setup/settings/hook-entries.ts";
import { HOOK_EVENTS } from "../../../src/setup/settings/hook-events.ts";

const ROOT = join(import.meta.dir, "..", "..", "..");
const FILES = join(ROOT, "src", "setup", "plugin", "files");

// As Claude Code's documentation describes them ("Plugins reference", "Plugin marketplaces", "Hooks", "Skills").
const KEBAB = { type: "string", pattern: "^[a-z0-9]+(-[a-z0-9]+)*$" };
const PERSON = {
  type: "object",
  properties: { name: { type: "string", minLength: 1 }, email: { type: "string" }, url: { type: "string" } },
  required: ["name"],
  additionalProperties: false,
};
const MANIFEST = {
  type: "object",
  properties: {
    name: KEBAB,
    displayName: { type: "string" },
    version: { type: "string", pattern: "^\\d+\\.\\d+\\.\\d+" },
    description: { type: "string" },
    author: PERSON,
    license: { type: "string" },
    keywords: { type: "array", items: { type: "string" } },
  },
  required: ["name"],
  additionalProperties: false,
};
const MARKETPLACE = {
  type: "object",
  properties: {
    name: KEBAB,
    description: { type: "string" },
    owner: PERSON,
    plugins: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        properties: {
          name: KEBAB,
          source: { type: "string", pattern: "^\\./(?!.*\\.\\.)" },
          description: { type: "string" },
        },
        required: ["name", "source"],
        additionalProperties: false,
      },
    },
  },
  required: ["name", "owner", "plugins"],
  additionalProperties: false,
};
const HOOK = {
  type: "object",
  properties: {
    type: { const: "command" },
    command: { type: "string", minLength: 1 },
    timeout: { type: "integer", minimum: 1, maximum: 600 },
  },
  required: ["type", "command"],
  additionalProperties: false,
};
const HOOKS = {
  type: "object",
  properties: {
    hooks: {
      type: "object",
      additionalProperties: {
        type: "array",
        items: {
          type: "object",
          properties: { matcher: { type: "string" }, hooks: { type: "array", minItems: 1, items: HOOK } },
          required: ["hooks"],
          additionalProperties: false,
        },
      },
    },
  },
  required: ["hooks"],
  additionalProperties: false,
};
const SERVERS = {
  type: "object",
  properties: {
    mcpServers: {
      type: "object",
      additionalProperties: {
        type: "object",
        properties: {
          command: { type: "string", minLength: 1 },
          args: { type: "array", items: { type: "string" } },
        },
        required: ["command"],
        additionalProperties: false,
      },
    },
  },
  required: ["mcpServers"],
  additionalProperties: false,
};

function problems(schema: object, value: unknown) {
  const ajv = new Ajv({ allErrors: true });
  return ajv.validate(schema, value) ? [] : ajv.errors;
}

const read = (path: string) => Bun.file(join(FILES, path)).text();

/** The lines between the first two `---`, as keys and values. */
function frontmatter(text: string): Record<string, string> {
  const [, block = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  return Object.fromEntries(
    block
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
}

describe("the plugin in the repository", () => {
  test("has manifests as documented", async () => {
    expect(problems(MANIFEST, JSON.parse(await read(".claude-plugin/plugin.json")))).toEqual([]);
    expect(problems(HOOKS, JSON.parse(await read("hooks/hooks.json")))).toEqual([]);
    expect(problems(SERVERS, JSON.parse(await read(".mcp.json")))).toEqual([]);
    expect(JSON.parse(await read(".claude-plugin/plugin.json")).version).toBe(version);
  });

  test("is listed by a marketplace that leads to it", async () => {
    const marketplace = await Bun.file(join(ROOT, ".claude-plugin", "marketplace.json")).json();
    expect(problems(MARKETPLACE, marketplace)).toEqual([]);
    const [{ name, source }] = marketplace.plugins;
    const manifest = await Bun.file(join(ROOT, source, ".claude-plugin", "plugin.json")).json();
    expect(manifest.name).toBe(name);
  });

  test("is what the binary carries, started from the PATH", async () => {
    const carried = pluginFiles();
    const there = await Array.fromAsync(new Bun.Glob("**/*").scan({ cwd: FILES, dot: true }));
    expect(there.sort()).toEqual(carried.map(({ path }) => path).sort());
    for (const { path, text } of carried) {
      const isJson = path.endsWith(".json");
      expect(isJson ? JSON.parse(await read(path)) : await read(path)).toEqual(
        isJson ? JSON.parse(text) : text,
      );
    }
  });

  test("registers each hook once, marked as called from a plugin", async () => {
    const { hooks } = JSON.parse(await read("hooks/hooks.json"));
    expect(Object.keys(hooks)).toEqual(HOOK_EVENTS.map(({ event }) => event));
    for (const { event, word, matcher } of HOOK_EVENTS) {
      const command = hookCommand(word, ["--from-plugin"]);
      expect(hooks[event]).toMatchObject([{ ...(matcher && { matcher }), hooks: [{ command }] }]);
    }
  });

  test("has a skill with a short description that says when to use it, in users' words", async () => {
    const { name, description = "" } = frontmatter(await read("skills/memory/SKILL.md"));
    expect(name).toBe("memory");
    expect(description.length).toBeLessThan(400);
    for (const words of [
      "what did we decide",
      "why did we",
      "have we seen this error",
      "last time",
      "history of a file",
    ])
      expect(description).toContain(words);
  });

  test("allows and names tools that exist, under the names that a plugin's server gets", async () => {
    const names = TOOLS.map(({ name }) => `mcp__plugin_mementor_memory__${name}`);
    for (const path of ["skills/memory/SKILL.md", "commands/recall.md"]) {
      const allowed = frontmatter(await read(path))["allowed-tools"]?.split(", ") ?? [];
      const tools = allowed.filter((tool) => tool.startsWith("mcp__"));
      expect(tools.length).toBeGreaterThan(2);
      expect(tools.filter((tool) => !names.includes(tool))).toEqual([]);
    }
  });

  test("allows commands as Claude Code reads them, in frontmatter at the start of the file", async () => {
    for (const path of ["skills/memory/SKILL.md", "commands/recall.md"]) {
      const text = await read(path);
      expect(text).toMatch(/^---\n\w/);
      const allowed = frontmatter(text)["allowed-tools"]?.split(", ") ?? [];
      const commands = allowed.filter((tool) => tool.startsWith("Bash("));
      // A rule approves every option of its command: only this one has none that leads elsewhere.
      expect(commands).toEqual(["Bash(mementor recall:*)"]);
    }
  });

  test("has frontmatter with documented keys, and rules for tools in the documented form", async () => {
    // As Claude Code's documentation lists them ("Skills", "Slash commands", "Permission rule syntax").
    const keys = {
      "skills/memory/SKILL.md": ["name", "description", "allowed-tools", "license", "metadata", "model"],
      "commands/recall.md": ["description", "argument-hint", "allowed-tools", "model"],
    };
    // A tool, or a tool with a rule in parentheses: `Bash(npm run test:*)`; the prefix has no other special character.
    const rule = /^(?:Bash\([^()*_]+:\*\)|mcp__[a-z0-9_-]+__[a-z0-9_-]+)$/;
    for (const [path, known] of Object.entries(keys)) {
      const fields = frontmatter(await read(path));
      expect(Object.keys(fields).filter((key) => !known.includes(key))).toEqual([]);
      const rules = fields["allowed-tools"]?.split(", ") ?? [];
      expect(rules.filter((one) => !rule.test(one))).toEqual([]);
      expect(rules.length).toBe(new Set(rules).size);
    }
    expect(rule.test("Bash(mementor search:_)")).toBe(false);
  });

  test("has a command that takes what was typed, and no name twice", async () => {
    const text = await read("commands/recall.md");
    expect(frontmatter(text).description).toBeTruthy();
    expect(text).toContain("$ARGUMENTS");
    const paths = pluginFiles().map(({ path }) => path);
    const skills = paths.flatMap((path) => /^skills\/(.+)\/SKILL\.md$/.exec(path)?.[1] ?? []);
    const commands = paths.flatMap((path) => /^commands\/(.+)\.md$/.exec(path)?.[1] ?? []);
    expect(skills.filter((skill) => commands.includes(skill))).toEqual([]);
  });
});

describe("the plugin as it is installed", () => {
  test("starts hooks without a shell where the client takes that", () => {
    const files = new Map(pluginFiles("/my home/mementor", true).map(({ path, text }) => [path, text]));
    const { hooks } = JSON.parse(files.get("hooks/hooks.json") ?? "");
    expect(Object.keys(hooks)).toEqual(HOOK_EVENTS.map(({ event }) => event));
    expect(hooks.Stop[0].hooks).toEqual([
      {
        type: "command",
        command: "/my home/mementor",
        args: ["hook", "stop", "--from-plugin", "--no-shell"],
        timeout: 5,
      },
    ]);
  });

  test("starts its tools where the program is, and hooks by the command of all settings", () => {
    const files = new Map(pluginFiles("/my home/mementor").map(({ path, text }) => [path, text]));
    const hooks = JSON.parse(files.get("hooks/hooks.json") ?? "");
    expect(problems(HOOKS, hooks)).toEqual([]);
    expect(hooks.hooks.Stop[0].hooks[0].command).toBe(hookCommand("stop", ["--from-plugin"]));
    expect(JSON.parse(files.get(".mcp.json") ?? "")).toEqual({
      mcpServers: { memory: { command: "/my home/mementor", args: ["mcp"] } },
    });
  });
});
