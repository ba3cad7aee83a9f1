import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { detectClient, earlyAnswer, encodeAnswer, normalized } from "../../src/hooks/client.ts";
import { claimPrompt } from "../../src/hooks/memory.ts";
import { CLAUDE_CODE, isSurelyClaudeCode, parsePayload } from "../../src/hooks/payload.ts";
import { conversation, globalIn, installCursor, storeIn } from "../agents/cursor/home.ts";

const UUID = "0199a000-0001-7000-8000-000000000001";
const CLAUDE = { session_id: UUID, transcript_path: `/h/.claude/projects/-p/${UUID}.jsonl`, cwd: "/p" };
const CODEX = {
  session_id: UUID,
  turn_id: UUID,
  transcript_path: `/h/.codex/sessions/2026/03/04/rollout-2026-03-04T09-00-00-${UUID}.jsonl`,
  cwd: "/p",
  hook_event_name: "UserPromptSubmit",
  model: "gpt-5.5",
};
const GEMINI = {
  session_id: UUID,
  transcript_path: "/h/.gemini/tmp/p/chats/session-2026-03-04T09-00-0199a000.jsonl",
  cwd: "/p",
  hook_event_name: "BeforeAgent",
};
const QWEN = {
  session_id: UUID,
  transcript_path: `/h/.qwen/projects/-p/chats/${UUID}.jsonl`,
  cwd: "/p",
  hook_event_name: "UserPromptSubmit",
};
const CURSOR = {
  conversation_id: UUID,
  generation_id: "g",
  cursor_version: "3.12.4",
  workspace_roots: ["/p", "/q"],
  hook_event_name: "beforeSubmitPrompt",
  prompt: "Why?",
};
const DROID = {
  session_id: UUID,
  transcript_path: `/h/.factory/sessions/-p/${UUID}.jsonl`,
  cwd: "/p",
  permission_mode: "off",
  hook_event_name: "UserPromptSubmit",
  prompt: "Why?",
};
const COPILOT = { sessionId: UUID, timestamp: 1_795_331_239_518, cwd: "/p", prompt: "Why?" };

/** Variables that an agent hands on to another one that is started in it. */
const GEMINI_ENV = { GEMINI_SESSION_ID: "x", CLAUDE_PROJECT_DIR: "/other" };

function payload(input: object) {
  const read = parsePayload(Buffer.from(JSON.stringify(input)));
  if (!read) throw new Error("no payload");
  return read;
}

describe("clientOf", () => {
  test.each<[string, object, string | null, Record<string, string>, string]>([
    ["Claude Code", CLAUDE, null, { CLAUDE_PROJECT_DIR: "/p" }, "claude-code"],
    ["Claude Code without a transcript", { session_id: UUID }, null, {}, "claude-code"],
    ["Claude Code in a terminal of Gemini", CLAUDE, null, GEMINI_ENV, "claude-code"],
    ["Codex", CODEX, "codex", {}, "codex"],
    ["Codex that keeps no file", { ...CODEX, transcript_path: null }, null, {}, "codex"],
    ["Codex in a terminal of Gemini", CODEX, "codex", GEMINI_ENV, "codex"],
    ["Codex at the end", { session_id: UUID, hook_event_name: "SessionEnd" }, "codex", GEMINI_ENV, "codex"],
    ["Gemini", GEMINI, "gemini", {}, "gemini"],
    ["Gemini that runs Claude Code's hooks", GEMINI, null, { CLAUDE_PROJECT_DIR: "/p" }, "gemini"],
    ["Qwen Code", QWEN, "qwen", { GEMINI_PROJECT_DIR: "/p" }, "qwen"],
    [
      "Qwen Code by its variable",
      { session_id: UUID },
      null,
      { QWEN_PROJECT_DIR: "/p", COPILOT_PROJECT_DIR: "/p", ...GEMINI_ENV },
      "qwen",
    ],
    ["Droid", DROID, "droid", {}, "droid"],
    ["Droid that runs Claude Code's hooks", DROID, null, { CLAUDE_PROJECT_DIR: "/p" }, "droid"],
    ["opencode's plugin", { session_id: "ses_1", cwd: "/p" }, "opencode", GEMINI_ENV, "opencode"],
    ["Copilot", COPILOT, "copilot", { CLAUDE_PROJECT_DIR: "/p" }, "copilot"],
    ["Copilot that runs Claude Code's hooks", COPILOT, null, {}, "copilot"],
    ["Copilot with the id of a turn", { ...COPILOT, turn_id: UUID }, null, {}, "copilot"],
    [
      "Cursor",
      { conversation_id: "c", hook_event_name: "beforeSubmitPrompt", prompt: "x" },
      null,
      {},
      "unknown",
    ],
    ["Cursor by its hook", CURSOR, "cursor", {}, "cursor"],
    [
      "Cursor that runs Claude Code's hooks",
      { ...CURSOR, hook_event_name: "UserPromptSubmit", session_id: UUID },
      null,
      { CLAUDE_PROJECT_DIR: "/p" },
      "cursor",
    ],
    [
      "nobody in half of Cursor's fields",
      { ...CLAUDE, cursor_version: "3.12.4", hook_event_name: "UserPromptSubmit" },
      null,
      {},
      "unknown",
    ],
    [
      "an event of Cursor that is not handled",
      { ...CURSOR, hook_event_name: "afterFileEdit" },
      "cursor",
      {},
      "unknown",
    ],
    ["nobody who only says to be Cursor", CLAUDE, "cursor", {}, "unknown"],
    ["an event that nobody has", { ...CLAUDE, hook_event_name: "beforeEverything" }, null, {}, "unknown"],
  ])("recognises %s", (_, input, named, env, expected) => {
    expect(detectClient(payload(input), named, env)).toBe(expected);
  });

  test("believes no name in the input", () => {
    expect(payload({ ...CLAUDE, client: "codex" }).client).toBe("claude-code");
  });
});

describe("normalized", () => {
  const host = (env: Record<string, string> = {}) => ({ env, homeDir: "/h", platform: "linux" }) as const;

  test("gives Copilot's fields Claude Code's names, and finds the session's file", () => {
    const read = normalized(payload({ ...COPILOT, agentId: "a1", agentType: "explore" }), "copilot", host());
    expect(read).toMatchObject({
      client: "copilot",
      session_id: UUID,
      agent_id: "a1",
      agent_type: "explore",
      transcript_path: `/h/.copilot/session-state/${UUID}/events.jsonl`,
    });
    const moved = normalized(payload(COPILOT), "copilot", host({ COPILOT_HOME: "/elsewhere" }));
    expect(moved.transcript_path).toBe(`/elsewhere/session-state/${UUID}/events.jsonl`);
  });

  test("finds the sessions of opencode, which names them by their ids", () => {
    const of = (input: object, env: Record<string, string> = {}) => {
      const read = normalized(payload({ session_id: "ses_1", ...input }), "opencode", host(env));
      return [read.transcript_path ?? null, read.agent_transcript_path ?? null];
    };
    const database = "/h/.local/share/opencode/opencode.db";
    expect(of({})).toEqual([`${database}/ses_1`, null]);
    expect(of({ agent_id: "ses_2" })).toEqual([null, `${database}/ses_1/ses_2`]);
    expect(of({}, { OPENCODE_DB: "/d/mine.db" })).toEqual(["/d/mine.db/ses_1", null]);
  });

  test("gives Cursor's fields Claude Code's names, and finds the fullest form of the conversation", () => {
    const home = mkdtempSync(join(tmpdir(), "mementor-cursor-"));
    try {
      installCursor(home);
      const of = (input: object) => {
        const here = { env: {}, homeDir: home, platform: "linux" as const };
        const read = normalized(payload({ ...CURSOR, ...input }), "cursor", here);
        return [read.client, read.session_id, read.cwd, read.tool_input.file_path, read.transcript_path];
      };
      const given = "/h/.cursor/projects/p/agent-transcripts/x/x.jsonl";
      expect(of({})).toEqual(["cursor", UUID, "/p", null, null]);
      expect(of({ cwd: "/p/src", hook_event_name: "preToolUse", tool_input: { path: "a.rs" } })).toEqual([
        "cursor",
        UUID,
        "/p/src",
        "a.rs",
        null,
      ]);
      const atEnd = (id: string) =>
        of({ conversation_id: id, hook_event_name: "stop", transcript_path: given }).at(-1);
      expect(atEnd(conversation(1))).toBe(join(globalIn(home), conversation(1)));
      expect(atEnd(conversation(7))).toBe(storeIn(home));
      expect(atEnd(UUID)).toBe(given);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  test("takes the context of another hook from the start of Gemini's prompt", () => {
    const prompt = "<hook_context>Earlier notes\n</hook_context>\n\nWhy does <b> whistle?";
    expect(normalized(payload({ ...GEMINI, prompt }), "gemini", host()).prompt).toBe("Why does <b> whistle?");
    expect(normalized(payload({ ...CODEX, prompt }), "codex", host()).prompt).toBe(prompt);
  });
});

test("a turn of Qwen Code has ended, whatever it says about other hooks", () => {
  const input = payload({ ...QWEN, hook_event_name: "Stop", stop_hook_active: true });
  expect(normalized(input, "qwen", { env: {}, homeDir: "/h", platform: "linux" }).stop_hook_active).toBe(
    false,
  );
});

describe("what needs no work", () => {
  const early = (input: object, client: string) =>
    earlyAnswer({ ...payload(input), client }, "user-prompt-submit", "as given")?.decision ?? null;

  test("an unknown client and the task of a subagent get silence", () => {
    expect(early(CLAUDE, "unknown")).toBe("unknown client");
    expect(early({ ...CODEX, agent_id: "a1" }, "codex")).toBe("subagent");
    expect([early(CODEX, "codex"), early({ ...CLAUDE, agent_id: "a1" }, "claude-code")]).toEqual([
      null,
      null,
    ]);
  });

  test("what is left of a prompt without the words of a hook may be trivial", () => {
    expect(early({ ...GEMINI, prompt: "ok" }, "gemini")).toBe("trivial");
    expect(early({ ...GEMINI, prompt: "Why does it whistle?" }, "gemini")).toBeNull();
  });
});

test("each agent gets an answer in its format", () => {
  const output = JSON.stringify({
    hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "Notes" },
  });
  const wire = (input: object, client: string) =>
    encodeAnswer("UserPromptSubmit", "Notes", { ...payload(input), client });
  expect([
    wire(CLAUDE, "claude-code"),
    wire(CODEX, "codex"),
    wire(QWEN, "qwen"),
    wire(DROID, "droid"),
  ]).toEqual([output, output, output, output]);
  expect(JSON.parse(wire(CURSOR, "cursor"))).toEqual({ continue: true, additional_context: "Notes" });
  expect(JSON.parse(wire({ ...CURSOR, hook_event_name: "sessionStart" }, "cursor"))).toEqual({
    additional_context: "Notes",
  });
  expect(wire({ ...CURSOR, hook_event_name: "UserPromptSubmit" }, "cursor")).toBe(output);
  expect(JSON.parse(wire(COPILOT, "copilot"))).toEqual({ additionalContext: "Notes" });
  expect(JSON.parse(wire(GEMINI, "gemini"))).toEqual({
    hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: "Notes" },
  });
});

test("a prompt is claimed once, until the same words may be a new prompt", () => {
  const directory = mkdtempSync(join(tmpdir(), "mementor-claim-"));
  try {
    const now = new Date();
    const claim = (input: object, at = now) =>
      claimPrompt({ directory, dataDir: directory }, payload(input), at);
    const asked = { ...CODEX, prompt: "Why does it whistle?" };
    expect([claim(asked), claim(asked)]).toEqual([true, false]);
    const plain = JSON.stringify([asked.session_id, asked.turn_id, asked.prompt]);
    const hash = new Bun.CryptoHasher("sha256").update(plain).digest("hex").slice(0, 32);
    expect(readdirSync(join(directory, "queue"))).not.toContain(`${hash}.prompt.done`);
    expect(claim({ ...asked, turn_id: "another" })).toBe(true);
    expect(claim({ ...asked, session_id: "another" })).toBe(true);
    expect(claim({ ...asked, prompt: "Why?" })).toBe(true);
    expect(claim(asked, new Date(now.getTime() + 60_000))).toBe(true);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

describe("isSurelyClaudeCode", () => {
  const SESSION = "7d52e9b4-0c3f-4a86-b1de-5f4c6a7b8d03";
  const CALL = { hook_event_name: "Stop", session_id: SESSION };

  test.each([
    [true, `/home/ada/.claude/projects/-work/${SESSION}.jsonl`],
    [true, `C:\\Users\\ada\\.claude\\projects\\-work\\${SESSION}.jsonl`],
    [false, `/home/ada/.qwen/projects/-work/chats/${SESSION}.jsonl`],
    [false, `/home/ada/.qwen/projects/projects/chats/${SESSION}.jsonl`],
    [false, `/home/ada/.codex/sessions/2026/01/02/rollout-2026-01-02T10-00-00-${SESSION}.jsonl`],
    [false, `/home/ada/.copilot/session-state/${SESSION}/events.jsonl`],
    [false, "/home/ada/notes.jsonl"],
  ])("%j for %s, as the whole list of agents says", (expected, transcript) => {
    const given = payload({ ...CALL, transcript_path: transcript });
    expect(isSurelyClaudeCode(given, ["hook", "stop"])).toBe(expected);
    if (expected) expect(detectClient(given, null, {})).toBe(CLAUDE_CODE);
  });

  test("is false for a call that names another agent, or comes from another program", () => {
    const transcript_path = `/home/ada/.claude/projects/-work/${SESSION}.jsonl`;
    expect(
      isSurelyClaudeCode(payload({ ...CALL, transcript_path }), ["hook", "stop", "--from", "codex"]),
    ).toBe(false);
    const strange = [{ cursor_version: "1" }, { conversation_id: "c" }, { hook_event_name: "BeforeAgent" }];
    for (const more of strange)
      expect(isSurelyClaudeCode(payload({ ...CALL, transcript_path, ...more }), ["hook", "stop"])).toBe(
        false,
      );
  });
});
