import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { AGENTS } from "../../../src/agents/list.ts";
import { agentName } from "../../../src/agents/names.ts";
import { count as antigravity } from "./antigravity.ts";
import { count as claudeCode } from "./claude-code.ts";
import { count as cline } from "./cline.ts";
import { count as codex } from "./codex.ts";
import { count as copilot } from "./copilot.ts";
import type { Count, Counts } from "./counts.ts";
import { count as cursor } from "./cursor.ts";
import { count as droid } from "./droid.ts";
import { count as gemini } from "./gemini.ts";
import { count as opencode } from "./opencode.ts";
import { count as qwen } from "./qwen.ts";
import { countRead } from "./read.ts";

/**
 * `bun run bench:agents --recordings DIR [--project DIR]` reads what real clients left, and compares what was read with a
 * count that knows nothing of the readers. `DIR/<agent>/transcripts/<set>/` is a home directory. Exit code 1 on a difference.
 */
const { values } = parseArgs({
  options: { recordings: { type: "string" }, project: { type: "string", default: "/home/dev/project" } },
});
if (values.recordings === undefined) throw new Error("--recordings DIR is missing");

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
for (const agent of AGENTS) {
  const sets = join(values.recordings, agent.id, "transcripts");
  const count = COUNTS[agent.id];
  if (!existsSync(sets)) continue;
  if (count === undefined) {
    console.log(`${agentName(agent.id)}: nothing counts it yet`);
    continue;
  }
  for (const set of readdirSync(sets).sort()) {
    const home = join(sets, set);
    const [counted, found] = [count(home, values.project), await countRead(agent, home, values.project)];
    const differing = (Object.keys(counted) as (keyof Counts)[]).filter((key) => counted[key] !== found[key]);
    isEqual &&= differing.length === 0;
    const shown = Object.entries(found).map(([key, number]) => `${key} ${number}`);
    console.log(`${agentName(agent.id)}, ${set}: ${shown.join(", ")}`);
    for (const key of differing) console.log(`  ${key}: counted ${counted[key]}, read ${found[key]}`);
  }
}
process.exit(isEqual ? 0 : 1);
