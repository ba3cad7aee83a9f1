import { basename, dirname, join } from "node:path";
import { objectOf, stringOf } from "../../io/json.ts";
import type { Agent, Environment } from "../agent.ts";
import { lineReader } from "../conversation.ts";
import { absolutePath, entriesOf, fileStamp, filesBelow, headRecords } from "../files.ts";
import { EventLines } from "./reader.ts";

const EVENTS = "events.jsonl";
const SESSION = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function copilotDirectory({ env, homeDir }: Environment): string {
  return absolutePath(env.COPILOT_HOME) ?? join(homeDir, ".copilot");
}

function owns(path: string): boolean {
  return basename(path) === EVENTS && SESSION.test(basename(dirname(path)));
}

/** GitHub Copilot CLI: one file of JSON lines for each session, `session-state/<session>/events.jsonl`. */
export const copilot: Agent = {
  id: "copilot",
  resumeCommand: (sessionId) => ["copilot", "--resume", sessionId],
  home: copilotDirectory,
  sessionFile: (sessionId, environment) =>
    join(copilotDirectory(environment), "session-state", sessionId, EVENTS),
  roots: (environment) => [join(copilotDirectory(environment), "session-state")],
  owns,
  growth: () => "appended",
  stampOf: fileStamp,
  projectSessions({ environment, belongs, isWanted }) {
    const found: string[] = [];
    for (const root of copilot.roots(environment))
      for (const { name } of entriesOf(root)) {
        const file = join(root, name, EVENTS);
        if (!owns(file) || fileStamp(file) === null || !isWanted(file)) continue;
        const cwd = cwdOf(file);
        if (cwd !== null && belongs(cwd)) found.push(file);
      }
    return found;
  },
  discover: (path) => filesBelow(path, owns),
  sourceOf: (path) => ({ sessionId: basename(dirname(path)), isNamed: owns(path), agentId: null }),
  reader: () => lineReader((path, state) => new EventLines(path, state)),
};

/** The first record contains the directory in which the session began. */
function cwdOf(file: string): string | null {
  for (const { data } of headRecords(file)) {
    const cwd = stringOf(objectOf(objectOf(data)?.context)?.cwd);
    if (cwd !== null) return cwd;
  }
  return null;
}
