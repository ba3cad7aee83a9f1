import { type Count, type Counts, filesIn, type Json, linesOf, listAt, mention, nothing } from "./counts.ts";

const BOOKS = new Set(["report_intent", "update_todo", "ask_user", "apply_patch"]);

function add(counts: Counts, { type, data, agentId }: Json, touch: (path: unknown) => void): void {
  const { content, source, success, shellExecution } = data as Json;
  if (type === "user.message" && source === undefined && agentId === undefined) counts.prompts++;
  if (type === "assistant.message") {
    if (content !== "") counts.answers++;
    for (const request of listAt(data, "toolRequests")) addCall(counts, request, touch);
  }
  const code = (shellExecution as Json | undefined)?.exitCode ?? 0;
  if (type === "tool.execution_complete" && (success === false || code !== 0)) counts.failures++;
}

function addCall(counts: Counts, { name, arguments: args }: Json, touch: (path: unknown) => void): void {
  if (!BOOKS.has(String(name))) counts.toolCalls++;
  if (/^(?:view|edit|create|grep|glob)$/.test(String(name))) touch((args as Json).path);
}

export const count: Count = (home, project) => {
  const counts = nothing();
  const files = new Set<string>();
  const subagents = new Set<unknown>();
  for (const events of filesIn(`${home}/.copilot/session-state`, /events\.jsonl$/))
    for (const record of linesOf(events)) {
      if (record.agentId !== undefined) subagents.add(record.agentId);
      add(counts, record, (path) => mention(files, `${events} ${record.agentId}`, project, path));
    }
  return { ...counts, mentions: files.size, subagents: subagents.size };
};
