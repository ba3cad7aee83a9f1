import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { INDEXED_CHARS } from "../../../src/constants.ts";
import { CHUNK_LIMITS, chunkText } from "../../../src/ingest/chunk/markdown.ts";
import { keywordText } from "../../../src/text/keywords.ts";
import { parseText } from "../../../src/turn/grammar.ts";
import { runIn } from "../../support/host.ts";

const HALF = INDEXED_CHARS / 2;
const LINE = "a line of a log that somebody pasted, as long as such logs are\n";
const logOf = (chars: number) => LINE.repeat(Math.ceil(chars / LINE.length));
const PASTED = `Why does the kettle whistle?\n${logOf(HALF)}the marmalade stands here\n${logOf(HALF)}`;
const ANSWER = "The zeppelin valve lets steam through.";

test("a turn beyond the limit is indexed by its start and its end, in exact pieces of its text", () => {
  const turn = parseText(`[User] ${PASTED}\n\n[Assistant] ${ANSWER}`);
  const chunks = chunkText(turn, (text) => text.split(/\s+/).length, CHUNK_LIMITS);
  expect(chunks.every(({ content, start, end }) => turn.text.slice(start, end) === content)).toBe(true);
  expect(chunks.map(({ chunkIndex }) => chunkIndex)).toEqual(chunks.map((_, index) => index));
  expect([chunks[0]?.start, chunks.at(-1)?.end]).toEqual([0, turn.text.length]);
  const [words, said] = [keywordText(turn.text), chunks.map(({ content }) => content).join("\n")];
  for (const text of [words, said]) {
    expect(text.includes("kettle whistle") && text.includes("zeppelin valve")).toBe(true);
    expect(text.includes("marmalade")).toBe(false);
  }
  expect(words.length).toBeLessThan(INDEXED_CHARS + 10_000);
});

test("ingest says how much of a long turn no search finds; show has all of it", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "mementor-long-turn-")));
  const [home, project] = [join(root, "home"), join(root, "project")];
  for (const directory of [home, join(project, ".git")]) mkdirSync(directory, { recursive: true });
  const sessionId = "5e550000-0000-4000-8000-000000000001";
  const entry = (uuid: string, type: "user" | "assistant", content: unknown) =>
    JSON.stringify({
      uuid,
      type,
      sessionId,
      cwd: project,
      timestamp: "2026-03-01T10:00:00Z",
      message: { role: type, content },
    });
  const file = join(root, `${sessionId}.jsonl`);
  const lines = [entry("u1", "user", PASTED), entry("u2", "assistant", [{ type: "text", text: ANSWER }])];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const run = async (...argv: string[]) =>
    (await runIn({ argv, cwd: project, homeDir: home, now: new Date("2026-03-02T00:00:00Z") })).stdout;
  const left = `[User] ${PASTED.trim()}\n\n[Assistant] ${ANSWER}`.length - INDEXED_CHARS;
  expect(await run("ingest", "--text-only", file)).toContain(
    `          ${left.toLocaleString("en-US")} characters in the middle of turns over 1,000,000 are stored and shown, and no search finds them\n`,
  );
  expect(await run("search", "zeppelin", "--mode", "keyword")).toContain("zeppelin valve");
  expect(await run("search", "marmalade", "--mode", "keyword")).toContain("Nothing was found");
  expect(await run("show", "1")).toContain("the marmalade stands here");
  rmSync(root, { recursive: true });
});
