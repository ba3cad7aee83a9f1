import { join } from "node:path";
import { stringOf } from "../../io/json.ts";
import type { Agent, Environment } from "../agent.ts";
import { lineReader } from "../conversation.ts";
import { entriesOf, fileStamp, filesBelow } from "../files.ts";
import { SessionLines } from "./reader.ts";
import { isDroidFile, sourceFile, startOf } from "./source-file.ts";

function factoryDirectory({ homeDir }: Environment): string {
  return join(homeDir, ".factory");
}

/**
 * Droid: one file of JSON lines for each session, `sessions/<directory>/<session>.jsonl`, without the folder in older
 * versions. A subagent is a session that names the one that called it.
 */
export const droid: Agent = {
  id: "droid",
  resumeCommand: (sessionId) => ["droid", "--resume", sessionId],
  home: factoryDirectory,
  roots: (environment) => [join(factoryDirectory(environment), "sessions")],
  owns: isDroidFile,
  growth: () => "appended",
  stampOf: fileStamp,
  startedIn: (path) => stringOf(startOf(path)?.cwd),
  projectSessions({ environment, belongs, isWanted }) {
    const files = droid.roots(environment).flatMap(sessionsBelow).filter(isWanted);
    const found = files.filter((file) => {
      const cwd = stringOf(startOf(file)?.cwd);
      return cwd !== null && belongs(cwd);
    });
    const isSubagent = (file: string) => Number(sourceFile(file).agentId !== null);
    return found.sort((a, b) => isSubagent(a) - isSubagent(b));
  },
  discover: (path) => filesBelow(path, isDroidFile),
  sourceOf: sourceFile,
  reader: () => lineReader((path, state) => new SessionLines(path, state)),
};

function sessionsBelow(root: string): string[] {
  return entriesOf(root).flatMap((entry) => {
    const path = join(root, entry.name);
    const inside = entry.isDirectory() ? entriesOf(path).map(({ name }) => join(path, name)) : [path];
    return inside.filter((file) => isDroidFile(file) && fileStamp(file) !== null);
  });
}
