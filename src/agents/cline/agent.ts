import { statIfExists } from "../../io/read.ts";
import type { Agent } from "../agent.ts";
import { fileStamp, filesBelow } from "../files.ts";
import { dataDirectory, sessionsDirectory } from "./home.ts";
import { projectSessions } from "./project-sessions.ts";
import { isClineFile, manifestPath, sourceFile } from "./source-file.ts";

/** Cline: a folder per session, with one file of all messages, one for each subagent, and Cline's notes about them. */
export const cline: Agent = {
  id: "cline",
  home: dataDirectory,
  roots: (environment) => [sessionsDirectory(environment)],
  owns: isClineFile,
  growth: () => "replaced",
  /** The title and the branch come later than the messages. */
  stampOf: (path) => {
    const stamp = fileStamp(path);
    const noted = statIfExists(manifestPath(path))?.mtimeMs ?? 0;
    return stamp && { ...stamp, mtimeMs: Math.max(stamp.mtimeMs, noted) };
  },
  projectSessions,
  discover: (path) => filesBelow(path, isClineFile),
  sourceOf: sourceFile,
  reader: async () => (await import("./reader.ts")).readCline,
};
