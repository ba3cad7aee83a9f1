import { join } from "node:path";
import { type JsonObject, numberOf, stringOf } from "../../transcript/json.ts";
import type { PromptList } from "../agent.ts";
import { recordsOf, sessionsOf } from "../prompt-list.ts";
import { codexDirectory } from "./home.ts";
import { isRolloutThere } from "./rollouts.ts";
import { threadDirectories } from "./threads.ts";

/**
 * `~/.codex/history.jsonl`: prompts with their session. The directory is in the database of threads, as far as Codex
 * keeps one.
 */
export const promptList: PromptList = {
  sessions: (environment) => {
    const records = recordsOf(join(codexDirectory(environment), "history.jsonl"));
    if (records.length === 0) return [];
    const directories = threadDirectories(environment);
    return sessionsOf(records.map((record) => promptIn(record, directories)));
  },
  hasTranscript: (sessionId, environment) =>
    ["sessions", "archived_sessions"].some((name) =>
      isRolloutThere(join(codexDirectory(environment), name), sessionId),
    ),
};

function promptIn({ session_id, ts, text }: JsonObject, directories: ReadonlyMap<string, string>) {
  const sessionId = stringOf(session_id);
  const seconds = numberOf(ts);
  const shown = stringOf(text) ?? "";
  return {
    sessionId,
    cwd: directories.get(sessionId ?? "") ?? null,
    text: /^\/[\w-]+\s*$/.test(shown) ? "" : shown,
    timeMs: seconds === null ? null : seconds * 1_000,
  };
}
