import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Agent } from "../../../src/agents/agent.ts";
import { agentName } from "../../../src/agents/agent.ts";
import { claudeCode as claude } from "../../../src/agents/claude-code/agent.ts";
import { AGENTS } from "../../../src/agents/list.ts";
import { count as antigravity } from "./antigravity.ts";
import { count as claudeCode } from "./claude-code.ts";
import { count as cline } from "./cline.ts";
import { count as codex } from "./codex.ts";
import { count as copilot } from "./copilot.ts";
import { type Count, type Counts, filesIn, linesOf } from "./counts.ts";
import { count as cursor } from "./cursor.ts";
import { count as droid } from "./droid.ts";
import { count as gemini } from "./gemini.ts";
import { count as opencode } from "./opencode.ts";
import { count as qwen } from "./qwen.ts";
import { countRead } from "./read.ts";

/**
 * `bun run bench:agents --recordings DIR [--project DIR]` reads what real clients left, and compares what was read with a
 * count that knows nothing of the readers. `DIR/<agent>/transcripts/<set>/` is a home directory, or `DIR/projects/` what Claude
 * Code keeps there, which belongs to the directory that its records name most. Exit code 1 on a difference.
 */
const { values } = parseArgs({
  options: { recordings: { type: "string" }, project: { type: "string" } },
});
const recordings = values.recordings;
if (recordings === undefined) throw new Error("--recordings DIR is missing");

/** A home directory of one set. */
interface Recording {
  home: string;
  project: string;
  name: string;
}

/** The count of each agent that has one. */
const COUNTS: Readonly<Record<string, Count>> = {
  antigravity,
  "claude-code": claudeCode,
  cline,
  codex,
  copilot,
  cursor,
  droid,
  gemini,
  opencode,
  qwen,
};

let isEqual = true;
if (existsSync(join(recordings, "projects"))) await compareClaude(recordings);
for (const agent of AGENTS) {
  const sets = join(recordings, agent.id, "transcripts");
  if (!existsSync(sets)) continue;
  for (const set of readdirSync(sets).sort())
    await compare(agent, {
      home: join(sets, set),
      project: values.project ?? "/home/dev/project",
      name: set,
    });
}
process.exit(isEqual ? 0 : 1);

/** Compares what lies in a folder as Claude Code's own. */
async function compareClaude(folder: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "mementor-count-"));
  try {
    symlinkSync(resolve(folder), join(home, ".claude"));
    const project = values.project ?? mostNamed(join(folder, "projects"));
    await compare(claude, { home, project, name: basename(resolve(folder)) });
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** The directory that most files name first. */
function mostNamed(folder: string): string {
  const named = filesIn(folder, /\.jsonl$/).map((file) => linesOf(file).find(({ cwd }) => cwd)?.cwd);
  const [most] = [...Map.groupBy(named, (cwd) => cwd)].toSorted(([, a], [, b]) => b.length - a.length);
  return String(most?.[0]);
}

async function compare(agent: Agent, { home, project, name }: Recording): Promise<void> {
  const count = COUNTS[agent.id];
  if (count === undefined) {
    console.log(`${agentName(agent.id)}: nothing counts it yet`);
    return;
  }
  const [counted, found] = [count(home, project), await countRead(agent, home, project)];
  const differing = (Object.keys(counted) as (keyof Counts)[]).filter((key) => counted[key] !== found[key]);
  isEqual &&= differing.length === 0;
  const shown = Object.entries(found).map(([key, number]) => `${key} ${number}`);
  console.log(`${agentName(agent.id)}, ${name}: ${shown.join(", ")}`);
  for (const key of differing) console.log(`  ${key}: counted ${counted[key]}, read ${found[key]}`);
}
