import { type Count, type Counts, filesIn, type Json, linesOf, listAt, mention, nothing } from "./counts.ts";

const BOOKS = new Set(["todo_write", "exit_plan_mode", "ask_user_question"]);

function add(counts: Counts, { type, message }: Json, touch: (path: unknown) => void): void {
  // Behind what was typed stands what hooks added.
  if (type === "user") counts.prompts++;
  for (const { text, thought, functionCall, functionResponse } of listAt(message, "parts")) {
    if (type === "assistant" && text !== undefined && thought !== true) counts.answers++;
    if (functionCall !== undefined) addCall(counts, functionCall as Call, touch);
    const response = JSON.stringify(functionResponse ?? "");
    if (/"response":\{"error"|\\nExit Code: [1-9]/.test(response)) counts.failures++;
  }
}

interface Call {
  name: string;
  args: Json;
}

function addCall(counts: Counts, { name, args }: Call, touch: (path: unknown) => void): void {
  if (!BOOKS.has(name)) counts.toolCalls++;
  if (/^(?:read_file|write_file|edit|grep_search|glob|list_directory)$/.test(name))
    touch(args.file_path ?? args.path);
}

export const count: Count = (home, project) => {
  const counts = nothing();
  const files = new Set<string>();
  for (const chat of filesIn(`${home}/.qwen/projects`, /\/chats\/[^/]*\.jsonl$/))
    for (const record of linesOf(chat)) add(counts, record, (path) => mention(files, chat, project, path));
  return { ...counts, mentions: files.size };
};
