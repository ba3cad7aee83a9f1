import { join } from "node:path";
import { type JsonObject, numberOf, objectOf, stringOf } from "../../transcript/json.ts";
import type { PromptList } from "../agent.ts";
import { entriesOf, fileStamp } from "../files.ts";
import { type PromptRecord, recordsOf, sessionsOf } from "../prompt-list.ts";
import { claudeDirectory } from "./home.ts";

/** `~/.claude/history.jsonl`: every prompt that was typed, with its session, since versions of 2025. */
export const promptList: PromptList = {
  sessions: (environment) =>
    sessionsOf(recordsOf(join(claudeDirectory(environment), "history.jsonl")).flatMap(promptIn)),
  hasTranscript: (sessionId, environment) => {
    const projects = join(claudeDirectory(environment), "projects");
    return entriesOf(projects).some(
      ({ name }) => fileStamp(join(projects, name, `${sessionId}.jsonl`)) !== null,
    );
  },
};

/** Commands of the client and of the shell, and notes to its memory, are no prompts. `/review 12` may be one. */
const NO_PROMPT = /^(?:\/[\w:.-]+\s*$|[!#])/;

function promptIn({ display, pastedContents, timestamp, project, sessionId }: JsonObject): PromptRecord[] {
  const shown = stringOf(display);
  if (shown === null || NO_PROMPT.test(shown)) return [];
  return [
    {
      sessionId: stringOf(sessionId),
      cwd: stringOf(project),
      text: withPasted(shown, objectOf(pastedContents)),
      timeMs: numberOf(timestamp),
    },
  ];
}

/** Puts pasted texts where the list shows only how long they are. */
function withPasted(shown: string, pasted: JsonObject | null): string {
  return shown.replace(/\[Pasted text #(\d{1,9})[^[\]]*\]/g, (whole, number: string) => {
    return stringOf(objectOf(pasted?.[number])?.content) ?? whole;
  });
}
