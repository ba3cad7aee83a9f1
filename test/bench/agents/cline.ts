import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { type Count, type Counts, filesIn, type Json, listAt, mention, nothing } from "./counts.ts";

/** How many things a call does: it may take several files, commands or searches. */
function callsOf({ name, input }: Json): number {
  const lists = ["files", "queries", "commands", "requests"].map((key) => listAt(input, key).length);
  return String(name).startsWith("team_") || name === "submit_and_exit" ? 0 : Math.max(1, ...lists);
}

/** The results of a call, which stand in a list, or as one object in a text. */
function resultsOf({ content }: Json): Json[] {
  if (typeof content !== "string") return content as Json[];
  try {
    return [JSON.parse(content)];
  } catch {
    return [];
  }
}

/** Counts one block of a message that somebody wrote. */
function add(
  counts: Counts,
  block: Json,
  writer: "person" | "model" | "agent",
  touch: (path: unknown) => void,
): void {
  const isText = block.type === "text";
  if (isText && writer === "model") counts.answers++;
  if (isText && writer === "person" && /<user_input/.test(String(block.text))) counts.prompts++;
  if (block.type === "tool_result")
    counts.failures += resultsOf(block).filter(({ success }) => success === false).length;
  if (block.type !== "tool_use") return;
  counts.toolCalls += callsOf(block);
  const input = block.input as Json;
  for (const { path } of [...listAt(input, "files"), input]) touch(path);
}

export const count: Count = (home, project) => {
  const counts = nothing();
  const files = new Set<string>();
  const sources = filesIn(`${home}/.cline/data/sessions`, /\.messages\.json$/);
  for (const file of sources)
    for (const message of listAt(JSON.parse(readFileSync(file, "utf8")), "messages")) {
      const asker = isSubagent(file) ? "agent" : "person";
      const writer = message.role === "assistant" ? "model" : asker;
      for (const block of listAt(message, "content"))
        add(counts, block, writer, (path) => mention(files, file, project, path));
    }
  return { ...counts, mentions: files.size, subagents: sources.filter(isSubagent).length };
};

function isSubagent(file: string): boolean {
  return basename(file) !== `${basename(dirname(file))}.messages.json`;
}
