import { join } from "node:path";
import { stringOf } from "../../transcript/json.ts";
import type { SessionQuery } from "../agent.ts";
import { entriesOf } from "../files.ts";
import { sessionsDirectory } from "./home.ts";
import { isClineFile, manifestOf, sourceFile } from "./source-file.ts";

/** Finds the sessions of a project, each followed by its subagents. */
export function projectSessions({ environment, belongs, isWanted }: SessionQuery): string[] {
  const sessions = sessionsDirectory(environment);
  const found: string[] = [];
  for (const folder of entriesOf(sessions)) {
    if (!folder.isDirectory()) continue;
    const files = messagesIn(join(sessions, folder.name)).filter(isWanted);
    const [first] = files;
    const cwd = first === undefined ? null : stringOf(manifestOf(first).cwd);
    if (cwd !== null && belongs(cwd)) found.push(...files);
  }
  return found;
}

/** Returns the files of messages in a session's folder, first that of the session itself. */
function messagesIn(folder: string): string[] {
  const files = entriesOf(folder)
    .map(({ name }) => join(folder, name))
    .filter(isClineFile);
  const isSubagent = (file: string) => Number(sourceFile(file).agentId !== null);
  return files.sort((a, b) => isSubagent(a) - isSubagent(b));
}
