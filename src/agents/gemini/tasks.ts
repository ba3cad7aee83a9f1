import { type JsonObject, objectOf, objectsOf } from "../../transcript/json.ts";
import { isSubagentCall } from "./results.ts";
import { textsOf } from "./said.ts";

/** Shorter tasks could be part of anything. */
const MIN_TASK_CHARS = 12;

/**
 * Renames the prompts of subagents, which older versions wrote into the main conversation as the user's: right after a
 * prompt, with the task in it that a later call gives to a subagent. One that nothing follows yet is left for later.
 */
export function withoutTasks(records: readonly JsonObject[]): JsonObject[] {
  return records.map((record, index) => {
    if (!isUser(record) || !isUser(records[index - 1])) return record;
    const next = records.slice(index).find(({ type }) => type === "gemini");
    if (next === undefined) return { ...record, type: "undecided" };
    return tasksOf(next).some((task) => says(record, task)) ? { ...record, type: "subagent_prompt" } : record;
  });
}

function isUser(record: JsonObject | undefined): boolean {
  return record?.type === "user";
}

function says(record: JsonObject, task: string): boolean {
  return textsOf(record.content).join("\n").includes(task);
}

/** What a message of the model gave to subagents. */
function tasksOf(message: JsonObject): string[] {
  return objectsOf(message.toolCalls)
    .filter(isSubagentCall)
    .flatMap(({ args }) => Object.values(objectOf(args) ?? {}))
    .filter((value) => typeof value === "string")
    .filter((value) => value.length >= MIN_TASK_CHARS);
}
