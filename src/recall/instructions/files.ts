import { join } from "node:path";
import type { MemoryFile } from "../../agents/agent.ts";
import type { Project } from "../../io/git/project.ts";

/** The files in which a project tells agents what they must know, as their agents find them. */
const NAMES = ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md"] as const;

/** Lists the files of a project's instructions, those of the running worktree. They need not exist. */
export function projectInstructions({ worktreeRoot }: Pick<Project, "worktreeRoot">): MemoryFile[] {
  return NAMES.map((name) => ({ path: join(worktreeRoot, name), lines: null }));
}
