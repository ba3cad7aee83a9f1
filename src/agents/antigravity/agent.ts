import { join } from "node:path";
import { headRecords } from "../../ingest/transcript/lines.ts";
import { asObjects, asString } from "../../io/json.ts";
import type { Agent, Environment } from "../agent.ts";
import { lineReader } from "../conversation.ts";
import { fileStamp, filesBelow, listEntries } from "../files.ts";
import {
  argumentsOf,
  brainTranscript,
  callDirectory,
  hasFullTwin,
  isShort,
  isTranscript,
  sourceFile,
  workspaceOf,
} from "./workspace.ts";

/** Number of steps to search for a file of the project, in a conversation without a known directory. */
const FIRST_STEPS = 100;

/** Returns `~/.gemini/antigravity-cli/brain` and the like of other editions. */
function brains({ homeDir }: Environment): string[] {
  const gemini = join(homeDir, ".gemini");
  const names = listEntries(gemini).filter((entry) => entry.isDirectory() && /^antigravity/.test(entry.name));
  return names.map(({ name }) => join(gemini, name, "brain"));
}

/**
 * Antigravity CLI: one file of JSON lines for each conversation, `brain/<conversation>/.system_generated/logs/`. A
 * subagent has a conversation of its own.
 */
export const antigravity: Agent = {
  id: "antigravity",
  home: ({ homeDir }) => join(homeDir, ".gemini", "config"),
  resumeCommand: (sessionId) => ["agy", "--conversation", sessionId],
  roots: brains,
  owns: isTranscript,
  growth: () => "appended",
  stampOf: (path) => (hasFullTwin(path) ? null : fileStamp(path)),
  startedIn: (path) => workspaceOf(path),
  projectSessions({ environment, belongs, isWanted }) {
    const files = brains(environment).flatMap((brain) =>
      listEntries(brain).flatMap(({ name }) => brainTranscript(join(brain, name)) ?? []),
    );
    const found = files.filter((file) => isWanted(file) && directoriesOf(file).some(belongs));
    const isSubagent = (file: string) => Number(sourceFile(file).agentId !== null);
    return found.sort((a, b) => isSubagent(a) - isSubagent(b));
  },
  discover: (path) => filesBelow(path, (file) => isTranscript(file) && !hasFullTwin(file)),
  sourceOf: sourceFile,
  async reader() {
    const { StepAdapter } = await import("./reader.ts");
    return lineReader((path, state) => new StepAdapter(path, state));
  },
};

/** Returns the directory of a conversation or, if unknown, the directories of its first calls. */
function directoriesOf(file: string): string[] {
  const workspace = workspaceOf(file);
  if (workspace !== null) return [workspace];
  const steps = firstOf(headRecords(file), FIRST_STEPS);
  const calls = steps.flatMap(({ tool_calls }) => asObjects(tool_calls));
  const found = calls.map((call) => callDirectory(argumentsOf(call, isShort(file))));
  return [...new Set(found.flatMap((directory) => asString(directory) ?? []))];
}

function firstOf<T>(values: Iterable<T>, count: number): T[] {
  const first: T[] = [];
  for (const value of values) {
    first.push(value);
    if (first.length === count) break;
  }
  return first;
}
