import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { claudeCode } from "../../../src/agents/claude-code/agent.ts";
import { READ } from "../../../src/constants.ts";
import { composeTurn } from "../../../src/ingest/transcript/compose.ts";
import { FORWARD_GRAPHEMES } from "../../../src/turn/wording.ts";
import { fcOptions } from "../../support/fast-check.ts";
import { readAll } from "../../support/read-turns.ts";

const folder = mkdtempSync(join(tmpdir(), "mementor-reader-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "5e550000-0000-4000-8000-000000000001.jsonl");

function line(type: "user" | "assistant", n: number, content: unknown): string {
  return JSON.stringify({ type, message: { role: type, content }, uuid: `u${n}`, sessionId: "s", cwd: "/w" });
}

test("the forward context is the start of the next prompt", async () => {
  const next = "🙂".repeat(FORWARD_GRAPHEMES + 1);
  const answer = line("assistant", 2, [{ type: "text", text: "Done" }]);
  writeFileSync(path, [line("user", 1, "Fix it"), answer, line("user", 3, next), ""].join("\n"));
  const [first] = (await readAll(path)).turns;
  const cut = `${"🙂".repeat(FORWARD_GRAPHEMES)}...`;
  expect(first?.text).toBe(`[User] Fix it\n\n[Assistant] Done\n\n[User] ${cut}`);
});

test("whatever JSON a file holds, reading never fails and every line is counted", async () => {
  const keys = [
    "type",
    "message",
    "content",
    "uuid",
    "sessionId",
    "isSidechain",
    "agentId",
    "attachment",
    "toolUseResult",
  ].concat([
    "text",
    "thinking",
    "input",
    "name",
    "id",
    "tool_use_id",
    "is_error",
    "subtype",
    "prompt",
    "timestamp",
    "cwd",
  ]);
  const words = [
    "user",
    "assistant",
    "system",
    "attachment",
    "text",
    "thinking",
    "tool_use",
    "tool_result",
    "Bash",
    "Read",
  ].concat([
    "queued_command",
    "compact_boundary",
    "away_summary",
    "pr-link",
    "summary",
    "ai-title",
    "/home/ada/x",
    "",
  ]);
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5, depthSize: "small" },
      fc.constantFrom<unknown>(...words, null, true, 7),
      fc.dictionary(fc.constantFrom(...keys), tie("tree"), { maxKeys: 8 }),
      fc.array(tie("tree"), { maxLength: 4 }),
    ),
  }));
  const entries = fc
    .tuple(
      fc.constantFrom("user", "assistant", "system", "attachment", "pr-link", "x"),
      fc.dictionary(fc.constantFrom(...keys), tree),
    )
    .map(([type, rest]) => JSON.stringify({ ...rest, type }));
  const lines = fc.array(
    fc.oneof(
      entries,
      tree.map((value) => JSON.stringify(value)),
      fc.string(),
    ),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(lines, async (all) => {
      const text = all.map((each) => `${each.replaceAll("\n", " ")}\n`).join("");
      writeFileSync(path, text);
      const { last, turns } = await readAll(path);
      const skipped = Object.values(last.lines.skipped).reduce((sum, count) => sum + count, 0);
      expect(last.lines.total).toBe(all.length);
      expect(last.lines.indexed + skipped).toBe(all.length);
      expect(last.cursor.byteOffset).toBe(Buffer.byteLength(text));
      for (const turn of turns) expect(turn.text).not.toBe("");
    }),
    fcOptions(),
  );
}, 600_000);

test("a very long line is counted and costs its neighbours nothing", async () => {
  const long = `{"type":"user","message":{"role":"user","content":"${"x".repeat(READ.maxLineBytes)}`;
  writeFileSync(path, `${line("user", 1, "before")}\n${long}"}}\n${line("assistant", 2, "behind")}\n`);
  const { turns, last, skips } = await readAll(path);
  expect(turns.map((turn) => turn.text)).toEqual(["[User] before\n\n[Assistant] behind"]);
  expect(last.lines).toEqual({ total: 3, indexed: 2, skipped: { too_long: 1 } });
  expect(skips).toEqual(["too_long 1"]);
});

test("a step ends at a turn boundary once it has enough bytes", async () => {
  const lines = Array.from({ length: 40 }, (_, n) => line(n % 2 ? "assistant" : "user", n, `text ${n}`));
  writeFileSync(path, `${lines.join("\n")}\n`);
  const { steps, turns } = await readAll(path, { stepBytes: 1_000 });
  expect(steps.length).toBeGreaterThan(3);
  expect(turns.map(({ lineIndex }) => lineIndex)).toEqual(Array.from({ length: 20 }, (_, n) => 2 * n));
  for (const { cursor, turns: closed } of steps) {
    expect(cursor.resumeOffset).toBeLessThanOrEqual(cursor.byteOffset);
    expect(Math.max(...closed.map(({ lineIndex }) => lineIndex))).toBeLessThanOrEqual(cursor.lineIndex);
  }
});

test("reading again with nothing new gives the open turn again, and the same cursor", async () => {
  writeFileSync(path, `${line("user", 1, "a")}\n${line("user", 2, "b")}\n`);
  const first = await readAll(path);
  const second = await readAll(path, { from: first.last.cursor });
  expect(second.turns).toEqual(first.turns.slice(-1));
  expect(second.last.cursor).toEqual(first.last.cursor);
  expect(second.last.lines).toEqual(first.last.lines);
});

test("a state that is not ours is as good as none", async () => {
  writeFileSync(path, `${line("user", 1, "a")}\n`);
  const { last } = await readAll(path);
  for (const readerState of [
    "",
    "{",
    "[]",
    "7",
    '{"counts":7,"recent":[1,{}],"sessions":[{}],"closed":{"a":"b"}}',
  ]) {
    const { turns } = await readAll(path, { from: { ...last.cursor, readerState } });
    expect(turns.map((turn) => turn.text)).toEqual(["[User] a"]);
  }
});

test("everything that is kept has gone through the caller's redaction", async () => {
  const use = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
  const lines = [
    line("user", 1, "prompt XSECRETX @XSECRETX.ts"),
    line("assistant", 2, [
      { type: "thinking", thinking: "XSECRETX" },
      { type: "text", text: "XSECRETX" },
      use("t1", "Bash", { command: "git commit -m XSECRETX; cat XSECRETX.ts", description: "XSECRETX" }),
      use("t2", "Read", { file_path: "/w/XSECRETX/a.ts" }),
      use("t3", "WebFetch", { url: "https://a.org/XSECRETX" }),
      use("t4", "mcp__a__b", { c: "XSECRETX" }),
    ]),
    line("user", 3, [{ type: "tool_result", tool_use_id: "t1", content: "[main 1a2b3c4] XSECRETX" }]),
    line("user", 4, [{ type: "tool_result", tool_use_id: "t2", content: "XSECRETX failed", is_error: true }]),
    JSON.stringify({ type: "ai-title", aiTitle: "XSECRETX", sessionId: "s" }),
    line("user", 5, "next XSECRETX"),
  ];
  writeFileSync(path, `${lines.join("\n")}\n`);
  const redact = (text: string) => text.replaceAll("XSECRETX", "***");
  const read = await claudeCode.reader();
  for await (const step of read(path, { from: null, rootsOf: () => ["/w"], redact })) {
    const composed = step.turns.map((turn) => composeTurn(turn, new Set()));
    expect(JSON.stringify([step, composed])).not.toContain("XSECRETX");
    expect(composed[0]?.commits).toEqual([{ hash: "1a2b3c4", message: "***" }]);
  }
});

test("a missing transcript rejects with an error of ours", async () => {
  expect(readAll(join(folder, "none.jsonl"))).rejects.toMatchObject({
    name: "MementorError",
    code: "not_found",
  });
});

test.each(["in one go", "in pieces"])(
  "a prompt that comes again after 300 others starts no turn, %s",
  async (how) => {
    const first = Array.from({ length: 300 }, (_, n) => `${line("user", n, `prompt ${n}`)}\n`).join("");
    const again = `${line("user", 7, "prompt 7")}\n${line("assistant", 1000, "once more")}\n`;
    writeFileSync(path, how === "in pieces" ? first : first + again);
    const before = await readAll(path);
    writeFileSync(path, first + again);
    const { turns, last } = how === "in pieces" ? await readAll(path, { from: before.last.cursor }) : before;
    expect(turns.at(-1)).toMatchObject({
      lineIndex: 299,
      text: "[User] prompt 299\n\n[Assistant] once more",
    });
    expect(last.lines).toEqual({ total: 302, indexed: 301, skipped: { duplicate: 1 } });
  },
);
