import type { Commit } from "../../domain.ts";
import type { ToolCall } from "../events.ts";

const GIT_COMMIT = /\bgit\b[^\n;&|]*\bcommit\b/;
/** The first line that `git commit` prints: `[branch abc1234] subject`, or `[branch (root-commit) abc1234] subject`. */
const REPORT = /^\[(?:[^\]\n]*? )?([0-9a-f]{7,40})\] (.+)$/gm;

/** True for a call whose shell command makes a commit. */
export function makesCommit({ command }: ToolCall): boolean {
  return command !== null && GIT_COMMIT.test(command);
}

/** Returns the commits that the output of such a call reports. */
export function commitsIn(output: string, clean: (text: string) => string): Commit[] {
  return Array.from(output.matchAll(REPORT), ([, hash = "", subject = ""]) => ({
    hash,
    message: clean(subject.trim()),
  }));
}
