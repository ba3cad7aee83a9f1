import type { Agent } from "../agent.ts";
import { discoverTranscripts } from "./discover.ts";
import { projectSessions } from "./project-sessions.ts";
import { readTranscript } from "./reader.ts";
import { sourceFile } from "./source-file.ts";

/** Claude Code: one file of JSON lines a session, and one for each subagent in a folder beside it. */
export const claudeCode: Agent = {
  id: "claude-code",
  name: "Claude Code",
  owns: (path) => path.endsWith(".jsonl"),
  projectSessions,
  discover: discoverTranscripts,
  subagentFolder: (sessionFile) => `${sessionFile.replace(/\.jsonl$/, "")}/`,
  sourceOf: sourceFile,
  read: readTranscript,
};
