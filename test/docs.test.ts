import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pageIndex } from "../src/build/page-index.ts";
import { loadCommand } from "../src/cli/commands.ts";
import { PAGES } from "../src/cli/pages.ts";

const ROOT = join(import.meta.dir, "..");
const DOCS = join(ROOT, ".github", "docs");
const texts = ["README.md", ...[...PAGES.keys()].map((name) => `.github/docs/${name}.md`)];
const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");

test("README has at most 220 lines", () => {
  expect(textOf("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(220);
});

test("the index names every page: bun run build writes it", async () => {
  expect(textOf("src/cli/pages.ts")).toBe(await pageIndex(DOCS));
});

test("README links to every page", () => {
  const readme = textOf("README.md");
  expect([...PAGES.keys()].filter((name) => !readme.includes(`(.github/docs/${name}.md`))).toEqual([]);
});

test("no page has the name of a command, whose help would hide it", async () => {
  for (const name of PAGES.keys())
    expect({ name, command: await loadCommand(name) }).toEqual({ name, command: null });
});

describe.each(texts)("%s", (path) => {
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
