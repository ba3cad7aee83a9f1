import { existsSync, readFileSync } from "node:fs";
import { type Count, type Counts, filesIn, type Json, linesOf, listAt, mention, nothing } from "./counts.ts";

const BOOKS =
  /^(?:ask_question|ask_permission|list_permissions|manage_task|define_subagent|send_message|schedule)$/;
const FILES = ["AbsolutePath", "TargetFile", "SearchPath", "DirectoryPath"];

/** Arguments of the short transcript are JSON in a text. */
const plain = (value: unknown) => String(value).replace(/^"|"$/g, "").replace("file://", "");

function add(counts: Counts, step: Json, isChild: boolean, touch: (path: unknown) => void): void {
  const { source, type = "PLANNER_RESPONSE", content, status } = step;
  if (source === "USER_EXPLICIT" && !isChild) counts.prompts++;
  if (source === "MODEL" && type === "PLANNER_RESPONSE" && content !== undefined) counts.answers++;
  for (const { name, args } of listAt(step, "tool_calls")) {
    if (!BOOKS.test(String(name))) counts.toolCalls++;
    for (const key of FILES.filter((each) => each in (args as Json))) touch(plain((args as Json)[key]));
  }
  const hasFailed = status === "ERROR" || /failed with exit code/.test(String(content));
  if (source === "MODEL" && hasFailed && !/user denied/.test(String(content))) counts.failures++;
}

export const count: Count = (home, project) => {
  const counts = nothing();
  const files = new Set<string>();
  const gemini = `${home}/.gemini`;
  const all = existsSync(gemini) ? filesIn(gemini, /\/logs\/transcript(?:_full)?\.jsonl$/) : [];
  const one = all.filter(
    (file) =>
      !all.includes(file.replace("transcript.jsonl", "transcript_full.jsonl")) || file.includes("_full"),
  );
  const elsewhere = readFileSync(`${gemini}/antigravity-cli/history.jsonl`, "utf8").split("\n");
  const children = one
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/\\"conversationId\\": \\"([^\\]+)\\"/g)])
    .map(([, id]) => String(id));
  for (const file of one) {
    const id = /brain\/([^/]+)/.exec(file)?.[1] ?? "";
    const other = elsewhere.some((line) => line.includes(id) && !line.includes(`"${project}"`));
    if (other) continue;
    const isChild = children.includes(id);
    if (isChild) counts.subagents++;
    for (const step of linesOf(file))
      add(counts, step, isChild, (path) => mention(files, file, project, path));
  }
  return { ...counts, mentions: files.size };
};
