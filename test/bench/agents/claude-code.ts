import { posix, win32 } from "node:path";
import { type Count, type Counts, filesIn, type Json, linesOf, listAt, nothing } from "./counts.ts";

/** Calls that keep the client's books or ask the person. */
const BOOKS =
  /^(?:AskUserQuestion|(?:Enter|Exit)PlanMode|Todo(?:Read|Write)|Task(?:Create|Update|List|Output|Stop|Get))$/;
const FILES: Readonly<Record<string, string>> = {
  ...{ Read: "file_path", Edit: "file_path", Write: "file_path", NotebookEdit: "notebook_path" },
  ...{ Grep: "path", Glob: "path" },
};
const AGENT = /agent-[^/]+\.jsonl$/;
/** What the client writes where a person's words are expected. */
const NOBODY =
  /^(?:\[Request interrupted|<task-notification|<ci-monitor-event|<local-command|Caveat: The messages|<bash-|This session is being continued|<command-name>\/compact)/;
const ADDED = /<(system-reminder|ide_\w+)>[\s\S]*?<\/\1>/g;
/** A call that a person refused, or that was stopped with the call beside it. */
const REFUSED = /doesn't want to (?:proceed|take this action)|The user rejected|\[Request interrupted/;

function isPrompt({ type, isMeta, message, attachment, promptSource, isCompactSummary }: Json): boolean {
  const queued = attachment as Json | undefined;
  if (type === "attachment")
    return queued?.type === "queued_command" && queued.commandMode === "prompt" && isTyped(queued.prompt);
  const isAside = isMeta === true || isCompactSummary === true || promptSource === "system";
  return type === "user" && !isAside && isTyped((message as Json).content);
}

function isTyped(content: unknown): boolean {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : (content as Json[]);
  const texts = blocks.filter(({ type }) => type === "text").map(({ text }) => String(text));
  const words = texts.join("\n").replace(ADDED, "").trim();
  return words !== "" && !NOBODY.test(words);
}

function addBlock(counts: Counts, type: unknown, block: Json, touch: (path: unknown) => void): void {
  if (type === "assistant" && block.type === "text" && String(block.text).trim() !== "") counts.answers++;
  if (block.type === "tool_use" && !BOOKS.test(String(block.name))) counts.toolCalls++;
  if (block.type === "tool_use") touch((block.input as Json)[FILES[String(block.name)] ?? ""]);
  if (block.type !== "tool_result" || block.is_error !== true) return;
  if (!REFUSED.test(JSON.stringify(block.content))) counts.failures++;
}

export const count: Count = (home, project) => {
  const counts = nothing();
  const [files, seen] = [new Set<string>(), new Set<unknown>()];
  const paths = filesIn(`${home}/.claude/projects`, /\.jsonl$/);
  for (const file of paths)
    for (const record of linesOf(file).filter(({ isApiErrorMessage }) => isApiErrorMessage !== true)) {
      // A resume has copies of what was said before, whose files count as its own.
      const into = isNew(record.uuid, seen) ? counts : nothing();
      if (isPrompt(record) && !AGENT.test(file)) into.prompts++;
      const touch = (path: unknown) => mentionAt(files, file, project, String(record.cwd), path);
      for (const block of listAt(record.message, "content")) addBlock(into, record.type, block, touch);
    }
  const subagents = new Set(paths.flatMap((file) => AGENT.exec(file)?.[0] ?? []));
  return { ...counts, mentions: files.size, subagents: subagents.size };
};

function isNew(uuid: unknown, seen: Set<unknown>): boolean {
  const before = seen.size;
  if (uuid !== undefined) seen.add(uuid);
  return uuid === undefined || seen.size > before;
}

/** Adds a file of the project by its path there, wherever the call ran: Windows' paths too, and those of a worktree below it. */
function mentionAt(into: Set<string>, file: string, project: string, cwd: string, given: unknown): void {
  if (typeof given !== "string" || given === "" || /[*]/.test(given)) return;
  const path = /^[A-Za-z]:/.test(project) ? win32 : posix;
  const name = path.relative(project, path.resolve(cwd, given)).replaceAll("\\", "/");
  if (name.startsWith("..") || /^[A-Za-z]:/.test(name)) return;
  const inside = name.replace(/^\.claude\/worktrees\/[^/]+(?:\/|$)/, "");
  if (inside !== "") into.add(`${file} ${inside}`);
}
