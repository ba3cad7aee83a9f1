import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { agentName } from "../src/agents/agent.ts";
import { AGENTS } from "../src/agents/list.ts";
import { pageIndex } from "../src/build/made.ts";
import { loadCommand } from "../src/cli/command-line/parse.ts";
import { OVERVIEW } from "../src/cli/commands/overview.ts";
import { PAGES } from "../src/cli/help/pages.ts";
import { DEFAULTS } from "../src/config/settings.ts";

const ROOT = join(import.meta.dir, "..");
const DOCS = join(ROOT, ".github", "docs");
const texts = ["README.md", ...[...PAGES.keys()].map((name) => `.github/docs/${name}.md`)];
const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");

test("README has at most 220 lines", () => {
  expect(textOf("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(220);
});

test("the index names every page: bun run build writes it", async () => {
  expect(textOf("src/cli/help/pages.ts")).toBe(await pageIndex(DOCS));
});

test("README links to every page", () => {
  const readme = textOf("README.md");
  expect([...PAGES.keys()].filter((name) => !readme.includes(`(.github/docs/${name}.md`))).toEqual([]);
});

test("README names every command that help shows, and every agent that something is installed for", () => {
  const readme = textOf("README.md");
  const commands = OVERVIEW.flatMap(([, rows]) => rows.map(([usage]) => usage.split(" ")[0] ?? ""));
  const rows = readme.split("\n").filter((line) => line.startsWith("| `"));
  expect(commands.filter((name) => !rows.some((row) => new RegExp(`\`${name}[\` ]`).test(row)))).toEqual([]);
  const agents = AGENTS.filter(({ home }) => home !== undefined).map(({ id }) => agentName(id));
  expect(agents.filter((name) => !readme.includes(name))).toEqual([]);
});

test("the page of other agents has a row for every agent that is read", () => {
  const page = textOf(".github/docs/other-agents.md");
  expect(AGENTS.map(({ id }) => agentName(id)).filter((name) => !page.includes(`\n| ${name} |`))).toEqual([]);
});

test("README's settings have the defaults of the program", () => {
  const rows = [...textOf("README.md").matchAll(/^\| `([a-z]+)\.([a-zA-Z]+)`.* \| `([^`]+)` \|/gm)];
  expect(rows.length).toBeGreaterThan(3);
  const defaults: Record<string, Record<string, unknown>> = JSON.parse(JSON.stringify(DEFAULTS));
  for (const [, group = "", name = "", value = ""] of rows)
    expect({ name, value: defaults[group]?.[name] }).toEqual({ name, value: JSON.parse(value) });
});

test("each file of the source that a contributor is sent to is there", () => {
  const pages = [".github/CONTRIBUTING.md", ".github/SECURITY.md", "src/README.md"].map(textOf).join("\n");
  const named = [...pages.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|txt))`/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(30);
  const isThere = (path: string) =>
    ["", "src", "test"].some((folder) => existsSync(join(ROOT, folder, path)));
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});

test("no page has the name of a command, whose help would hide it", async () => {
  for (const name of PAGES.keys())
    expect({ name, command: await loadCommand(name) }).toEqual({ name, command: null });
});

describe.each(texts)("%s", (path) => {
  test("begins with its title", () => {
    expect(textOf(path)).toMatch(/^# \S/);
  });

  test("links to what is there", () => {
    const links = [...textOf(path).matchAll(/(?:\]\(|src=")([^)"\s]+)[)"]/g)].map(([, link = ""]) => link);
    const local = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(local.filter((link) => !leads(link, path))).toEqual([]);
  });
});

/** Whether a link from a file leads to a file and, where it names one, to a heading of it. */
function leads(link: string, from: string): boolean {
  const [file = "", heading] = link.split("#");
  const target = file === "" ? from : join(dirname(from), file);
  if (!existsSync(join(ROOT, target))) return false;
  return heading === undefined || headings(target).includes(heading);
}

/** The headings of a file as GitHub names them in links. */
function headings(path: string): string[] {
  return [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

test("the page of the settings says the default of each, and what it is for", () => {
  const page = textOf(".github/docs/settings.md");
  const rows = [...page.matchAll(/^\| (`[^|]+) \| ([^|]*) \| ([^|]*)\|$/gm)].map(
    ([, names = "", ...cells]) => ({
      names: named(names),
      cells: cells.map((cell) => cell.trim()),
    }),
  );
  expect(rows.filter(({ cells }) => cells.includes(""))).toEqual([]);
  const settings = Object.entries(DEFAULTS).flatMap(([group, values]) =>
    Object.keys(values).map((name) => `${group}.${name}`),
  );
  expect(rows.flatMap(({ names }) => names).sort()).toEqual(settings.sort());
});

/** The settings that a row names, where a name that begins with a dot is in the group of the one before. */
function named(cell: string): string[] {
  let group = "";
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => {
    if (name.startsWith(".")) return group + name;
    group = name.split(".")[0] ?? "";
    return name;
  });
}
