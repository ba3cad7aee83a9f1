import { join } from "node:path";
import { type JsonObject, numberOf, objectOf, stringOf } from "../../transcript/json.ts";
import type { Agent, PromptList } from "../agent.ts";
import { fileStamp, headOf } from "../files.ts";
import { type PromptRecord, recordsOf, sessionsOf } from "../prompt-list.ts";
import { discoverTranscripts } from "./discover.ts";
import { claudeDirectories, transcriptFolders } from "./home.ts";
import { firstCwd, projectSessions } from "./project-sessions.ts";
import { sourceFile } from "./source-file.ts";

/** `~/.claude/history.jsonl`: every prompt that was typed, with its session, since versions of 2025. */
const promptList: PromptList = {
  sessions: (environment) =>
    sessionsOf(
      claudeDirectories(environment).flatMap((directory) =>
        recordsOf(join(directory, "history.jsonl")).flatMap((record) => promptIn(record, directory)),
      ),
    ),
  hasTranscript: (sessionId, environment) =>
    transcriptFolders(environment).some((folder) => fileStamp(join(folder, `${sessionId}.jsonl`)) !== null),
};

/** Commands of the client and of the shell, and notes to its memory, are no prompts. `/review 12` may be one. */
const NO_PROMPT = /^(?:\/[\w:.-]+\s*$|[!#])/;

function promptIn(record: JsonObject, directory: string): PromptRecord[] {
  const { display, pastedContents, timestamp, project, sessionId } = record;
  const shown = stringOf(display);
  if (shown === null || NO_PROMPT.test(shown)) return [];
  return [
    {
      sessionId: stringOf(sessionId),
      cwd: stringOf(project),
      text: withPasted(shown, objectOf(pastedContents), join(directory, "paste-cache")),
      timeMs: numberOf(timestamp),
    },
  ];
}

/** Puts pasted texts where the list shows only how long they are. */
function withPasted(shown: string, pasted: JsonObject | null, cache: string): string {
  return shown.replace(/\[Pasted text #(\d{1,9})[^[\]]*\]/g, (whole, number: string) => {
    const paste = objectOf(pasted?.[number]);
    return stringOf(paste?.content) ?? cached(stringOf(paste?.contentHash), cache) ?? whole;
  });
}

/** A longer text is in a file that is named after its hash. The list may name any other: nothing else is read. */
const HASH = /^[\da-f]{8,64}$/;
/** What a person pastes is shorter. */
const MAX_PASTE_BYTES = 4 << 20;

function cached(hash: string | null, cache: string): string | null {
  if (hash === null || !HASH.test(hash)) return null;
  const file = join(cache, `${hash}.txt`);
  const size = fileStamp(file)?.size ?? 0;
  return size === 0 || size > MAX_PASTE_BYTES ? null : headOf(file, size) || null;
}

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
