import { type Count, type Counts, filesIn, type Json, linesOf, mention, nothing } from "./counts.ts";

const BOOKS = new Set(["exec", "wait", "write_stdin", "update_plan", "wait_agent"]);

const objectAt = (value: Json, key: string): Json => (value[key] ?? {}) as Json;

/** The files that a patch names, or that a change of files holds. */
const patched = (patch: unknown) => [
  ...String(patch).matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm),
];

/** What a command returned that failed, in each form that a rollout has. */
function hasFailed({ output }: Json): boolean {
  const text = typeof output === "string" ? output : JSON.stringify(output);
  return /(?:exited with code|^Exit code:|"exit_code":) ?-?[1-9]/m.test(text.slice(0, 200));
}

type Touch = (path: unknown) => void;

/** Counts what was said, and what code mode did, which stands in items alone. */
function addEvent(counts: Counts, record: Json, isMain: boolean, touch: Touch): void {
  const item = objectAt(record, "item");
  if (isMain && (record.type === "user_message" || item.type === "UserMessage")) counts.prompts++;
  if (record.type === "agent_message" || item.type === "AgentMessage") counts.answers++;
  if (!String(item.id).startsWith("exec-")) return;
  const files = Object.keys(objectAt(item, "changes"));
  for (const file of files) touch(file);
  counts.toolCalls += item.type === "FileChange" ? files.length : 1;
  if (Number(item.exit_code ?? 0) !== 0) counts.failures++;
}

/** Counts what the model called and got back. */
function addCall(counts: Counts, record: Json, touch: Touch): void {
  const kind = String(record.type);
  if (kind === "custom_tool_call" && record.name === "apply_patch") {
    const files = patched(record.input);
    for (const [, file] of files) touch(file);
    counts.toolCalls += files.length;
  } else if (/^(?:function|custom_tool)_call$/.test(kind) && !BOOKS.has(String(record.name)))
    counts.toolCalls++;
  if (kind.endsWith("_call_output") && !Array.isArray(record.output) && hasFailed(record)) counts.failures++;
}

/** What the client puts before what was typed, where no event says what that was. */
const ADDED = /^<(?:user_instructions|environment_context)>/;

/** Counts a message of the oldest form, whose records have no envelope. */
function addMessage(counts: Counts, { role, content }: Json): void {
  const [block] = Array.isArray(content) ? (content as Json[]) : [];
  if (role === "assistant") counts.answers++;
  if (role === "user" && !ADDED.test(String(block?.text))) counts.prompts++;
}

function addRecord(counts: Counts, record: Json, isMain: boolean, touch: Touch): void {
  if (record.type === "event_msg") addEvent(counts, objectAt(record, "payload"), isMain, touch);
  if (record.type === "response_item") addCall(counts, objectAt(record, "payload"), touch);
  if (record.payload !== undefined) return;
  if (record.type === "message") addMessage(counts, record);
  addCall(counts, record, touch);
}

export const count: Count = (home, project) => {
  const counts = nothing();
  const files = new Set<string>();
  for (const rollout of filesIn(`${home}/.codex`, /rollout-[^/]*\.jsonl$/)) {
    const records = linesOf(rollout);
    const source = objectAt(objectAt(records[0] ?? {}, "payload"), "source");
    const isMain = source.subagent === undefined;
    if (!isMain) counts.subagents++;
    const touch: Touch = (path) => mention(files, rollout, project, path);
    for (const record of records) addRecord(counts, record, isMain, touch);
  }
  return { ...counts, mentions: files.size };
};
