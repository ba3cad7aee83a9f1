import { join } from "node:path";
import type { Agent } from "../agent.ts";
import { fileStamp, filesBelow } from "../files.ts";
import { conversationOf } from "./conversation.ts";
import { geminiDirectory } from "./home.ts";
import { projectSessions } from "./project-sessions.ts";
import { isGeminiFile, isWholeFile, sourceFile, subagentFolder } from "./source-file.ts";

/** Gemini CLI: one file of JSON lines per session (one JSON object in older versions), and one for each subagent. */
export const gemini: Agent = {
  id: "gemini",
  resumeCommand: (sessionId) => ["gemini", "--resume", sessionId],
  home: geminiDirectory,
  roots: (environment) => [join(geminiDirectory(environment), "tmp")],
  owns: isGeminiFile,
  growth: (path) => (isWholeFile(path) ? "replaced" : "appended"),
  stampOf: fileStamp,
  projectSessions,
  discover: (path) => filesBelow(path, isGeminiFile),
  subagentFolder,
  sourceOf: sourceFile,
  conversationOf,
  reader: async () => (await import("./reader.ts")).readGemini,
};
