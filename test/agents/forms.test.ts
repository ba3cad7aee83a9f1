import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Agent } from "../../src/agents/agent.ts";
import { claudeCode } from "../../src/agents/claude-code/agent.ts";
import { codex } from "../../src/agents/codex/agent.ts";
import { qwen } from "../../src/agents/qwen.ts";
import { count as countClaudeCode } from "../bench/agents/claude-code.ts";
import { count as countCodex } from "../bench/agents/codex.ts";
import { type Count, type Counts, nothing } from "../bench/agents/counts.ts";
import { count as countQwen } from "../bench/agents/qwen.ts";
import { countRead } from "../bench/agents/read.ts";
import { SENT, TYPED } from "../support/strangers.ts";
import { withHome } from "./sources.ts";

/** What clients write in forms of which no recording is in the tree, counted without the readers, too. */
interface Form {
  name: string;
  agent: Agent;
  count: Count;
  /** Writes the files; `put` takes a path below the home directory. */
  write: (put: (path: string, records: readonly object[]) => string, home: string, project: string) => void;
  /** What they hold, counted by hand; what is left out is nothing. */
  holds: Partial<Counts>;
}

const THREAD = "0199a000-0001-7000-8000-000000000001";
const ROLLOUTS = ".codex/sessions/2026/02/01";
const PICTURE = "x".repeat(700_000);

const sessionMeta = (cwd: string) => ({ type: "session_meta", payload: { id: THREAD, cwd } });
const event = (type: string, message: string) => ({ type: "event_msg", payload: { type, message } });
const asks = (cwd: string, content: unknown) => ({ type: "user", cwd, message: { role: "user", content } });
const answers = (cwd: string, text = "Done.") => ({
  ...{ type: "assistant", cwd },
  message: { role: "assistant", content: [{ type: "text", text }] },
});
const inFolder = (name: string) => `.claude/projects/of-${name}/5e550000-0000-4000-8000-000000000001.jsonl`;
const team = (...bodies: string[]) =>
  bodies.map((body) => `<teammate-message teammate_id="mira">\n${body}\n</teammate-message>`).join("\n");
const STATE = '{"type":"idle_notification","from":"mira"}';

/** Messages that a person's prompt is told apart from; what drives a whole session is not among them. */
const FROM_OTHERS = SENT.filter(([, origin]) => origin !== "automated" && origin !== "subagent");

const FORMS: readonly Form[] = [
  {
    name: "a thread of Codex in several files",
    agent: codex,
    count: countCodex,
    write(put, _, project) {
      const said = [event("user_message", "Which gate?"), event("agent_message", "The south one.")];
      for (const end of ["", "_2", "_0199a000-0009-7000-8000-000000000001"])
        put(`${ROLLOUTS}/rollout-2026-02-01T08-00-00-${THREAD}${end}.jsonl`, [sessionMeta(project), ...said]);
    },
    holds: { prompts: 3, answers: 3 },
  },
  {
    name: "a rollout of Codex without envelopes",
    agent: codex,
    count: countCodex,
    write(put, _, project) {
      const text = (type: string, words: string) => [{ type, text: words }];
      const context = `<environment_context>\nCurrent working directory: ${project}\n</environment_context>`;
      put(`${ROLLOUTS}/rollout-2025-06-01-${THREAD}.jsonl`, [
        { id: THREAD, timestamp: "2025-06-01T08:00:00.000Z", instructions: null },
        { type: "message", role: "user", content: text("input_text", context) },
        { type: "message", role: "user", content: text("input_text", "Which gate?") },
        { type: "function_call", name: "shell", call_id: "c1", arguments: '{"command":["ls"]}' },
        { type: "function_call_output", call_id: "c1", output: "{}" },
        { type: "message", role: "assistant", content: text("output_text", "The south one.") },
      ]);
    },
    holds: { prompts: 1, answers: 1, toolCalls: 1 },
  },
  {
    name: "a rollout of Codex whose first record is longer than a megabyte",
    agent: codex,
    count: countCodex,
    write(put, _, project) {
      const meta = { ...sessionMeta(project), filler: PICTURE + PICTURE };
      const said = [event("user_message", "Which gate?"), event("agent_message", "The south one.")];
      put(`${ROLLOUTS}/rollout-2026-02-01T08-00-00-${THREAD}.jsonl`, [meta, ...said]);
    },
    holds: { prompts: 1, answers: 1 },
  },
  {
    name: "messages of a team, several in a record, and records of its state",
    agent: claudeCode,
    count: countClaudeCode,
    write(put, _, project) {
      put(inFolder("team"), [
        ...[asks(project, "Review the gates."), answers(project)],
        ...[asks(project, team("The north gate jams.", STATE, "So does the east one.")), answers(project)],
        ...[asks(project, team(STATE)), asks(project, team(STATE, STATE))],
        asks(project, `Another Claude session sent a message:\n${team("All gates are reviewed.")}`),
      ]);
    },
    holds: { prompts: 1, sent: 2, answers: 2 },
  },
  {
    name: "messages of others, and what people type",
    agent: claudeCode,
    count: countClaudeCode,
    write(put, _, project) {
      const all = [...FROM_OTHERS.map(([, , records]) => records), ...TYPED.map(([, records]) => records)];
      for (const [at, records] of all.entries())
        put(
          `.claude/projects/p/5e550000-0000-4000-8000-${`${at}`.padStart(12, "0")}.jsonl`,
          records.map((record) => ({ cwd: project, sessionId: `s${at}`, ...record })),
        );
    },
    holds: { prompts: TYPED.length, sent: FROM_OTHERS.filter(([, origin]) => origin !== null).length },
  },
  {
    name: "what an editor adds to a prompt",
    agent: claudeCode,
    count: countClaudeCode,
    write(put, _, project) {
      const opened = "<ide_opened_file>The user opened gate.ts.</ide_opened_file>";
      put(inFolder("editor"), [
        asks(project, `${opened}\nWhy is the gate shut?`),
        asks(project, [
          { type: "text", text: `<ide_selection>gate()</ide_selection>` },
          { type: "text", text: "What does it do?" },
        ]),
        asks(project, opened),
      ]);
    },
    holds: { prompts: 2 },
  },
  {
    name: "commands, of which one starts work",
    agent: claudeCode,
    count: countClaudeCode,
    write(put, _, project) {
      const command = (name: string) => asks(project, `<command-name>/${name}</command-name>`);
      put(inFolder("commands"), [command("clear"), command("review"), answers(project), command("exit")]);
    },
    holds: { prompts: 1, answers: 1 },
  },
  {
    name: "a first record with a picture, in a folder of another name",
    agent: claudeCode,
    count: countClaudeCode,
    write(put, _, project) {
      const picture = { type: "attachment", picture: PICTURE };
      put(inFolder("picture"), [picture, asks(project, "Look at it."), answers(project)]);
    },
    holds: { prompts: 1, answers: 1 },
  },
  {
    name: "a project that was renamed meanwhile, and a session among those of another one",
    agent: claudeCode,
    count: countClaudeCode,
    write(put, home, project) {
      const [old, other] = [join(home, "old"), join(home, "other")];
      put(".claude/projects/of-other/a.jsonl", [asks(other, "Not of this project."), answers(other)]);
      put(".claude/projects/of-other/b.jsonl", [asks(old, "Which gate?"), answers(project)]);
    },
    holds: { prompts: 1, answers: 1 },
  },
  {
    name: "linked files and folders, and the place of versions of 2025",
    agent: claudeCode,
    count: countClaudeCode,
    write(put, home, project) {
      const session = [asks(project, "Which gate?"), answers(project)];
      const kept = put("kept/a.jsonl", session);
      put("kept/folder/b.jsonl", session);
      put(".config/claude/projects/of-it/c.jsonl", session);
      put(".claude/projects/of-it/d.jsonl", session);
      symlinkSync(kept, join(home, ".claude/projects/of-it/a.jsonl"));
      symlinkSync(join(home, "kept/folder"), join(home, ".claude/projects/linked"));
    },
    holds: { prompts: 4, answers: 4 },
  },
  {
    name: "subagents whose session has no file any more",
    agent: claudeCode,
    count: countClaudeCode,
    write(put, _, project) {
      const task = [asks(project, "Look for gates."), answers(project, "There are two.")].map((record) => ({
        ...{ isSidechain: true, agentId: "a1" },
        ...record,
      }));
      put(".claude/projects/of-it/gone/subagents/agent-a1.jsonl", task);
      put(".claude/projects/of-it/gone/subagents/agent-acompact-b1.jsonl", task);
    },
    holds: { answers: 1, subagents: 1 },
  },
  {
    name: "a first prompt of Qwen Code that is a long paste",
    agent: qwen,
    count: countQwen,
    write(put, _, project) {
      const id = "5a000000-0001-4000-8000-000000000001";
      const record = (type: string, text: string, fields: object = {}) => ({
        ...{ uuid: crypto.randomUUID(), sessionId: id, type, message: { parts: [{ text }] } },
        ...fields,
      });
      put(`.qwen/projects/of-it/chats/${id}.jsonl`, [
        record("user", `What is this?\n${"gate ".repeat(20_000)}`),
        record("assistant", "A gate.", { cwd: project }),
      ]);
    },
    holds: { prompts: 1, answers: 1 },
  },
];

test.each(FORMS)("a count of its own agrees on $name", ({ agent, count, write, holds }) =>
  withHome(async (home) => {
    const project = join(home, "project");
    mkdirSync(project);
    const put = (path: string, records: readonly object[]) => {
      const file = join(home, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
      return file;
    };
    write(put, home, project);
    const whole = { ...nothing(), ...holds };
    expect({ counted: count(home, project), read: await countRead(agent, home, project) }).toEqual({
      ...{ counted: whole, read: whole },
    });
  }),
);
