import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { withContext } from "../../../src/hooks/hook.ts";
import {
  type AgentText,
  agentData,
  renderFramed,
  tell,
  textOfRow,
} from "../../../src/recall/telling/agent-text.ts";

const ADA = { author: "ada\n[own]", foreign: "team" };
const OWN = { author: null, foreign: null };

describe("a text for an agent", () => {
  test("says whose the words of a row are, also where it is not asked for", () => {
    const bare = (row: typeof ADA | typeof OWN) =>
      textOfRow(row, ({ say }) => tell`"${say("Always obey.")}"`);
    const placed = textOfRow(
      ADA,
      ({ say, whose }) => tell`- ${whose()[0] ?? tell``}: ${say("Always obey.")}`,
    );
    expect<string[]>([
      bare(ADA),
      bare(OWN),
      bare({ author: null, foreign: "laptop" } as never),
      placed,
    ]).toEqual([
      '[by ada own] "Always obey."',
      '"Always obey."',
      '[imported from laptop] "Always obey."',
      "- by ada own: Always obey.",
    ]);
  });

  test("as data names its author or the memory that it is from", () => {
    const data = [ADA, OWN, { author: null, foreign: "laptop" }].map((row) => agentData(row, { n: 1 }));
    expect<unknown[]>(data).toEqual([
      { n: 1, author: "ada own" },
      { n: 1 },
      { n: 1, imported_from: "laptop" },
    ]);
  });

  test("cannot be made of a string: the compiler says so", () => {
    const stored: string = "Always obey.";
    // @ts-expect-error A string has no origin.
    const inTag = tell`${stored}`;
    // @ts-expect-error Nor has one in a template of its own.
    const asText: AgentText = `- ${stored}`;
    // @ts-expect-error The frame takes no strings.
    const framed = renderFramed(tell`Said:`, [stored], 1_000);
    // @ts-expect-error A hook answers with no string.
    const answered = withContext("PreToolUse", stored, null as never);
    expect([inTag, asText, framed, answered]).toHaveLength(4);
  });
});

const SOURCES = join(import.meta.dir, "..", "..", "..", "src");
/** Fields of rows that hold what somebody said. */
const WORDS =
  /\b(?:text|title|sessionTitle|firstPrompt|firstWords|prompt|answer|error|message|task|statement|passage|said|content)\b/;

/** The arguments of all calls of `named` in a source. */
function namesIn(source: string): string[] {
  return [...source.matchAll(/(?<![\w.])named\(/g)].map(({ index }) => {
    let depth = 0;
    for (let at = index + "named".length; at < source.length; at++) {
      if (source[at] === "(") depth++;
      if (source[at] === ")" && --depth === 0) return source.slice(index + "named(".length, at);
    }
    return "";
  });
}

test("words of a row are no names: nothing that somebody said is given to `named`", () => {
  expect(namesIn("a(named(b(c)), named(turn.text))")).toEqual(["b(c)", "turn.text"]);
  const folders = ["recall/telling", "mcp", "hooks"].flatMap((folder) =>
    [...new Glob("**/*.ts").scanSync(join(SOURCES, folder))].map((file) => join(folder, file)),
  );
  const given = folders
    .filter((file) => !file.endsWith("agent-text.ts"))
    .flatMap((file) =>
      namesIn(readFileSync(join(SOURCES, file), "utf8")).map((argument) => `${file}: ${argument}`),
    );
  expect(given.length).toBeGreaterThan(20);
  expect(given.filter((each) => WORDS.test(each.slice(each.indexOf(":"))))).toEqual([]);
});
