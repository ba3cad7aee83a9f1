import { expect, test } from "bun:test";
import { parseMarkdown, renderPage as renderBlocks } from "../../../src/cli/help/blocks.ts";
import { styleFor } from "../../../src/cli/terminal/screen.ts";
import { widthOf } from "../../../src/text/width.ts";

const renderPage = (markdown: string, screen: Parameters<typeof renderBlocks>[1]) =>
  renderBlocks(parseMarkdown(markdown), screen);

const style = styleFor({ isTerminal: false }, { LANG: "C.UTF-8" });

const PAGE = `# Teams

A team shares through a [database](install.md) of its own,
see [the manual](https://example.org/manual).

<img src="a.svg" alt="not for a terminal">

## Set up

\`\`\`sh
mementor team init    # once: roles and tables

mementor team join
\`\`\`

- **Nothing** leaves before
  \`share on\`.
- A second item.

| setting | default | |
| --- | --- | --- |
| \`search.k\` | 10 | turns of a search |
| \`a\\|b\` | | either |

| command | does |
| --- | --- |
| \`sync\` | syncs now, and tells how many turns were sent |
`;

test("a page is shown as text: headings, paragraphs, code, items, tables and where links lead", () => {
  expect(renderPage(PAGE, { style, width: 60 })).toBe(`TEAMS

A team shares through a database ("mementor help install")
of its own, see the manual (https://example.org/manual).

Set up

    mementor team init    # once: roles and tables

    mementor team join

- Nothing leaves before \`share on\`.
- A second item.

setting     default
\`search.k\`  10       turns of a search
\`a|b\`                either

command: does
\`sync\`  syncs now, and tells how many turns were sent
`);
});

test("a table whose last column has no title keeps the title that it has", () => {
  const page = "| in 1,000 chunks | |\n| --- | --- |\n| first prompt | 20 x |\n";
  expect(renderPage(page, { style, width: 60 })).toBe("in 1,000 chunks\nfirst prompt  20 x\n");
});

test("a table stands in columns where it fits, its titles above what they are of", () => {
  const page =
    "| language | words alone: first, first five | with vectors |\n| --- | ---: | ---: |\n| English | 72, 85 | 72, 83 |\n| Korean | 47, 57 | 43, 62 |\n";
  expect(renderPage(page, { style, width: 60 })).toBe(`language  words alone: first, first five  with vectors
English   72, 85                          72, 83
Korean    47, 57                          43, 62
`);
  expect(renderPage(page, { style, width: 20 })).toStartWith("English\n    words alone:");
});

test("where there are colours, code in a text has one instead of back-ticks", () => {
  const coloured = styleFor({ isTerminal: true }, { LANG: "C.UTF-8" });
  expect(renderPage("Run `mementor enable` again.\n", { style: coloured, width: 14 })).toBe(
    "Run \x1b[36mmementor\x1b[39m\n\x1b[36menable\x1b[39m again.\n",
  );
});

test("a comment of one line hides nothing but itself", () => {
  const page = "<!-- Made by a program. -->\n```sh\nsh install.sh\n```\n<!-- End -->\n\nIt installs.\n";
  expect(renderPage(page, { style, width: 60 })).toBe("    sh install.sh\n\nIt installs.\n");
});

test("where code has no room, its comment stands above it", () => {
  const page = '# A\n\n```sh\nmementor search "a b c d e f g h"   # by meaning and by words\n```\n';
  expect(renderPage(page, { style, width: 40 })).toBe(`A

    # by meaning and by words
    mementor search "a b c d e f g h"
`);
});

test("a comment that is wrapped stays a comment on each line", () => {
  const page =
    "```sh\n# on your machine, where the history is kept\nmementor team join   # the address comes from whoever made it\n```\n";
  expect(renderPage(page, { style, width: 40 })).toBe(`    # on your machine, where the history
    # is kept
    # the address comes from whoever
    # made it
    mementor team join
`);
});

test("code is never broken", () => {
  const line = "sha256sum --ignore-missing -c SHA256SUMS && tar -xzf mementor-linux-x64.tar.gz";
  for (const width of [40, null])
    expect(renderPage(`\`\`\`sh\n${line}  ${line}\n\`\`\`\n`, { style, width })).toBe(
      `    ${line}  ${line}\n`,
    );
});

const DOCS = `${import.meta.dir}/../../../.github/docs`;
const pages = [...new Bun.Glob("*.md").scanSync(DOCS)].sort();

test.each(pages.flatMap((page) => [40, 80, 120].map((width) => [page, width] as const)))(
  "%s breaks no word nor code, and all but code keeps within %d columns",
  async (page, width) => {
    const markdown = await Bun.file(`${DOCS}/${page}`).text();
    const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== "#" && word !== "");
    const wordSet = (text: string) => new Set(wordsOf(text).map((word) => word.replace(/:$/, "")));
    const shown = renderPage(markdown, { style, width });
    const lines = shown.split("\n");
    const wide = lines.filter((line) => widthOf(line) > width && line.trim().includes(" "));
    const code = [...markdown.matchAll(/^```.*\n([\s\S]*?)^```/gm)].flatMap(([, text = ""]) =>
      text.split("\n"),
    );
    const commands = code.map((line) => line.replace(/(?<=\S)\s+# .+$/, ""));
    expect(wide.filter((line) => !commands.includes(line.slice(4)))).toEqual([]);
    expect(commands.filter((line) => !line.startsWith("# ") && !shown.includes(line))).toEqual([]);
    // Tables that do not fit in columns repeat their titles.
    const broken = wordSet(shown).difference(wordSet(renderPage(markdown, { style, width: 10_000 })));
    expect([...broken]).toEqual([]);
    const texts = (width: number) => wordsOf(renderPage(markdown.replace(/^\|.*$/gm, ""), { style, width }));
    expect(texts(width).sort()).toEqual(texts(10_000).sort());
  },
);
