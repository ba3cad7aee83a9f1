import { expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "../../src/agents/agent.ts";
import { antigravity } from "../../src/agents/antigravity/agent.ts";
import { claudeCode } from "../../src/agents/claude-code/agent.ts";
import { cursor } from "../../src/agents/cursor/agent.ts";
import { droid } from "../../src/agents/droid.ts";
import { count as countAntigravity } from "../bench/agents/antigravity.ts";
import { count as countClaudeCode } from "../bench/agents/claude-code.ts";
import type { Count, Counts } from "../bench/agents/counts.ts";
import { count as countCursor } from "../bench/agents/cursor.ts";
import { count as countDroid } from "../bench/agents/droid.ts";
import { countRead } from "../bench/agents/read.ts";
import { installAntigravity, PROJECT as OBSERVATORY } from "./antigravity/home.ts";
import { installFolder } from "./contract.ts";
import { PROJECT as GLASSHOUSE, installCursor } from "./cursor/home.ts";
import { withHome } from "./sources.ts";

const FIXTURES = join(import.meta.dir, "../../fixtures/agents");

const DESKTOP = join(FIXTURES, "../transcripts/shapes/desktop-on-windows.jsonl");

/** The fixture of an agent that no recording of its client was read of. */
interface Case {
  name: string;
  agent: Agent;
  install: (home: string) => void;
  project: string;
  /** Counts without the readers. */
  count: Count;
  /** What the fixture holds, counted by hand. */
  holds: Counts;
}

const CASES: readonly Case[] = [
  {
    name: "Antigravity CLI",
    agent: antigravity,
    install: installAntigravity,
    project: OBSERVATORY,
    count: countAntigravity,
    holds: { prompts: 6, sent: 0, answers: 9, toolCalls: 15, failures: 2, mentions: 7, subagents: 1 },
  },
  {
    name: "Claude Code's program for the desktop, on Windows",
    agent: claudeCode,
    install: (home) =>
      cpSync(DESKTOP, join(home, ".claude/projects/D--bakery/5e550000-0000-4000-8000-000000000077.jsonl")),
    project: "D:\\bakery",
    count: countClaudeCode,
    holds: { prompts: 3, sent: 0, answers: 5, toolCalls: 6, failures: 1, mentions: 3, subagents: 0 },
  },
  {
    name: "Cursor",
    agent: cursor,
    install: installCursor,
    project: GLASSHOUSE,
    count: countCursor,
    holds: { prompts: 12, sent: 0, answers: 17, toolCalls: 20, failures: 3, mentions: 9, subagents: 2 },
  },
  {
    name: "Droid",
    agent: droid,
    install: installFolder(join(FIXTURES, "droid/home")),
    project: "/home/dev/lighthouse",
    count: countDroid,
    holds: { prompts: 6, sent: 0, answers: 9, toolCalls: 16, failures: 3, mentions: 11, subagents: 1 },
  },
];

test.each(CASES)("a count of its own agrees on the fixture of $name", (given) =>
  withHome(async (home) => {
    given.install(home);
    expect(given.count(home, given.project)).toEqual(given.holds);
    expect(await countRead(given.agent, home, given.project)).toEqual(given.holds);
  }),
);
