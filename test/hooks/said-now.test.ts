import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { HookProject } from "./hook-project.ts";

const CAUSE = "The proxy drops the range header, so an upload never resumes behind it.";
const QUESTION = "why does the upload never resume behind the proxy?";
const FIRST = "Look at the uploads of the shop.";

let project: HookProject;
beforeEach(async () => {
  project = new HookProject();
  project.enable();
  const text = `[User] Why does the resume of an upload fail?\n\n[Assistant] ${CAUSE}`;
  await project.seed([{ sessionId: "earlier", text }]);
});
afterEach(() => project[Symbol.dispose]());

const entry = (type: "user" | "assistant", content: unknown, more: object = {}) =>
  JSON.stringify({ type, uuid: "u", sessionId: "now", message: { role: type, content }, ...more });
const asks = (text: string) => entry("user", text);
const says = (text: string) => entry("assistant", [{ type: "text", text }]);

interface Facts {
  prompt?: string;
  elapsedMs?: () => number;
  [field: string]: unknown;
}

/** Asks in a session of its own, which was told nothing yet. */
const told = (lines: readonly string[], { prompt = QUESTION, elapsedMs = () => 0, ...facts }: Facts = {}) => {
  const session_id = crypto.randomUUID();
  const input = { session_id, cwd: project.root, hook_event_name: "UserPromptSubmit", prompt };
  const path = project.file("now.jsonl", lines.map((line) => `${line}\n`).join(""));
  return project.told(
    "user-prompt-submit",
    { ...input, transcript_path: path, ...facts },
    { env: { MEMENTOR_SEARCH_GATE: "off" }, elapsedMs },
  );
};

test("what the session said last is not told to it, though the memory has not read it yet", async () => {
  expect(await told([asks(FIRST), says("Which one?")])).toContain(CAUSE);
  expect(await told([asks(FIRST), says(CAUSE)], { prompt: `and ${QUESTION}` })).toBeNull();
  expect(await told([asks(`Mind this. ${CAUSE}`), says("Noted.")], { prompt: `so ${QUESTION}` })).toBeNull();
});

test("what the agent said before a prompt that waits in the transcript is not told to it", async () => {
  expect(await told([asks(FIRST), says(CAUSE), asks(QUESTION)])).toBeNull();
});

test("the asked prompt changes nothing where the transcript has it already", async () => {
  // The question has the words of the answer.
  const prompt = "is it so that the proxy drops the range header, so an upload never resumes behind it?";
  const opened = await told([], { prompt });
  expect(opened).toContain(CAUSE);
  for (const written of [prompt, `${prompt}\n<system-reminder>It is late.</system-reminder>`])
    expect(await told([asks(written)], { prompt })).toBe(opened);
});

test("a transcript that cannot be read changes nothing", async () => {
  const opened = await told([]);
  expect(opened).toContain(CAUSE);
  const broken = ["{ half a line", "null", '{"type":"user","message":7}', '{"type":"assistant"}'];
  expect(await told(broken)).toBe(opened);
  expect(await told([], { transcript_path: join(project.dir, "gone.jsonl") })).toBe(opened);
});

test("what a subagent said, and the transcript of another agent, change nothing", async () => {
  const subagent = entry("assistant", [{ type: "text", text: CAUSE }], { isSidechain: true });
  expect(await told([asks(FIRST), says("Which one?"), subagent])).toContain(CAUSE);
  const payload = { type: "message", role: "assistant", content: [{ type: "output_text", text: CAUSE }] };
  const codex = [
    { type: "session_meta", payload: { id: "c", cwd: project.root } },
    { type: "response_item", payload },
  ];
  expect(await told(codex.map((line) => JSON.stringify(line)))).toContain(CAUSE);
});

test("with little time left, the transcript is not read", async () => {
  expect(await told([asks(FIRST), says(CAUSE)], { elapsedMs: () => 1_450 })).toContain(CAUSE);
});
