import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { longName } from "../../src/cli/command-line/option.ts";
import { FIELDS } from "../../src/store/filter.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { ingestSample } from "./sample.ts";

const ROOT = join(import.meta.dir, "..", "..");

const readme = await Bun.file(join(ROOT, "README.md")).text();
const people = await pageText("commands");
const agents = await pageText("for-agents");

function pageText(name: string): Promise<string> {
  return Bun.file(join(ROOT, ".github", "docs", `${name}.md`)).text();
}

function sectionOf(title: string): string {
  const [, section = ""] =
    new RegExp(`^## ${title}\\n([\\s\\S]*?)(?=^## )`, "m").exec(`${readme}\n## `) ?? [];
  return section;
}

/** The lines of a section's code in a language, comments taken off. */
function examples(section: string, language: string): string[] {
  const blocks = [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))];
  return blocks
    .flatMap(([, code = ""]) => code.split("\n"))
    .map((line) => line.replace(/\s+# .*$/, "").trim())
    .filter((line) => line !== "");
}

let sandbox: Sandbox;
let client: Client;

beforeAll(async () => {
  sandbox = await Sandbox.create();
  await sandbox.run(["enable", "--no-history"]);
  await ingestSample(sandbox);
  client = new Client({ name: "readme", version: "1" });
  const [command = "", ...args] = serverCommand();
  const env = sandbox.env();
  expect(command).toBe("mementor");
  await client.connect(new StdioClientTransport({ command: BINARY, args, cwd: sandbox.project, env }));
});

afterAll(async () => {
  await client?.close();
  await sandbox?.[Symbol.asyncDispose]();
});

/** What `claude mcp add <name> -- <command>` would start. */
function serverCommand(): string[] {
  const line = examples(agents, "sh").find((example) => example.startsWith("claude mcp add "));
  return line?.split(" -- ")[1]?.split(" ") ?? [];
}

/** Runs an example as it stands: it has something to say, and nothing to complain about. */
async function runs(line: string): Promise<void> {
  const { exitCode, stdout, stderr } = await sandbox.run(words(line).slice(1));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout.trim()).not.toBe("");
  if (line.startsWith("mementor search")) expect(stdout).not.toStartWith("Nothing");
  if (line.endsWith("--json")) expect(Object.values(JSON.parse(stdout)).flat().length).toBeGreaterThan(0);
}

/** Splits as a shell does, for words and double quotes. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
}

test("the page of commands names every filter", () => {
  const [, options = ""] = /^Lists take the filters ([^;]*);/m.exec(people) ?? [];
  expect([...options.matchAll(/`--([\w-]+)`/g)].map(([, name]) => name)).toEqual(
    Object.keys(FIELDS).map(longName),
  );
});

test("the README shows what a search prints", async () => {
  const env = { MEMENTOR_NOW: "2026-11-22T12:00:00Z", TZ: "UTC" };
  const { stdout } = await sandbox.run(["search", "why did we choose sqlite", "-k", "1"], { env });
  expect(sectionOf("One minute to the first recall")).toContain(stdout);
});

test("the README shows what the hook adds to its prompt", async () => {
  const [, asked = ""] = /With "([^"]+)", in a new session/.exec(readme.replaceAll("\n", " ")) ?? [];
  const [, shown = ""] = /^```\n(<mementor-memory>[\s\S]*?)\n```/m.exec(readme) ?? [];
  const { stdout } = await sandbox.run(["hook", "user-prompt-submit"], {
    stdin: JSON.stringify({ session_id: "new", cwd: sandbox.project, prompt: asked }),
    env: { PATH: `${sandbox.home}/.local/share/mementor/bin:/usr/bin:/bin` },
  });
  const { additionalContext } = JSON.parse(stdout).hookSpecificOutput;
  expect(frameOf(shown).length).toBeGreaterThan(4);
  expect(frameOf(additionalContext)).toEqual(frameOf(shown));
});

/** What stays of a recall, whichever sentences of the turn are quoted. */
function frameOf(context: string): string[] {
  return context.split("\n").filter((line) => !line.startsWith("> "));
}

describe("the page of commands", () => {
  test("has its examples", () => expect(examples(people, "sh").length).toBeGreaterThan(12));

  for (const line of examples(people, "sh")) test(`${line}`, () => runs(line));
});

describe("the page for agents", () => {
  test("has its examples", () => {
    expect(examples(agents, "sh").length).toBeGreaterThan(5);
    expect(examples(agents, "json")).toHaveLength(5);
  });

  for (const line of examples(agents, "sh").filter((example) => example.startsWith("mementor ")))
    test(`${line}`, () => runs(line));

  for (const line of examples(agents, "json"))
    test(`${line}`, async () => {
      const { content, isError, structuredContent } = await client.callTool(JSON.parse(line));
      expect(isError ?? false).toBe(false);
      expect(content).toHaveLength(1);
      expect(structuredContent).toMatchObject({ results: expect.arrayContaining([expect.anything()]) });
    });

  test("names every tool with its arguments", async () => {
    const { tools } = await client.listTools();
    const shared = ["limit", "cursor", "max_tokens"];
    for (const { name, inputSchema } of tools) {
      const row = agents.split("\n").find((line) => line.startsWith(`| \`${name}\` |`)) ?? "";
      const named = Object.keys(inputSchema.properties ?? {}).filter(
        (argument) => !shared.includes(argument) && !(row.includes("filters") && argument in FIELDS),
      );
      expect({
        name,
        missing: named.filter((argument) => !row.includes(`\`${argument}\``)),
      }).toEqual({
        name,
        missing: [],
      });
    }
  });

  test("names places that are there", async () => {
    await sandbox.run(["plugin", "install"]);
    expect(agents).toContain("~/.claude/skills/mementor");
    expect(
      existsSync(join(sandbox.home, ".claude", "skills", "mementor", ".claude-plugin", "plugin.json")),
    ).toBe(true);
  });
});
