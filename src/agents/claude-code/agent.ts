import { join } from "node:path";
import type { Agent } from "../agent.ts";
import { fileStamp } from "../files.ts";
import { discoverTranscripts } from "./discover.ts";
import { claudeDirectories } from "./home.ts";
import { firstCwd, projectSessions } from "./project-sessions.ts";
import { promptList } from "./prompt-list.ts";
import { sourceFile } from "./source-file.ts";

/** Claude Code: one file of JSON lines a session, and one for each subagent in a folder beside it. */
export const claudeCode: Agent = {
  id: "claude-code",
  resumeCommand: (sessionId) => ["claude", "--resume", sessionId],
  roots: (environment) => claudeDirectories(environment).map((directory) => join(directory, "projects")),
  owns: (path) => path.endsWith(".jsonl"),
  growth: () => "appended",
  stampOf: fileStamp,
  projectSessions,
  startedIn: firstCwd,
  discover: discoverTranscripts,
  promptList,
  subagentFolder: (sessionFile) => `${sessionFile.replace(/\.jsonl$/, "")}/`,
  sourceOf: sourceFile,
  reader: async () => (await import("./reader.ts")).readTranscript,
};
