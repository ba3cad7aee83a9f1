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
/** The work of a compaction, and what is no conversation. */
const ASIDE = /agent-acompact-[^/]*\.jsonl$|\/subagents\/(?:.*\/)?(?!agent-)[^/]*\.jsonl$/;
/** What the client writes where a person's words are expected. */
const NOBODY =
  /^(?:\[Request interrupted|<task-notification|<ci-monitor-event|<local-command|Caveat: The messages|<bash-|This session is being continued|<command-name>\/compact)/;
/** The tags of messages that others sent, behind a line that may announce them. */
const SENT =
  /^(?:(?:another|an?|your) [^\n<]{0,120}\s*)?<(teammate-message|cross-session-message|channel|github-webhook-activity|review-comment|pr-comment|issue-comment)\b/i;
/** What a message of a team says that starts no work: a record of its state. */
const STATE = /^\s*\{[^{]*"type"\s*:\s*"(?!task_assignment)/;
/** How records name a person, or a program that asks for one. */
const PERSON = /^(?:human|user|typed|queued|sdk|cli|external|suggest\w*|remote\w*)$/;
const ADDED = /<(system-reminder|ide_\w+)>[\s\S]*?<\/\1>/g;
/** A call that a person refused without a word, or that was stopped with the call beside it. */
const REFUSED =
  /doesn't want to (?:proceed|take this action)(?!.*the user said:)|The user rejected|\[Request interrupted/;

/** As what a record counts that stands where a person's prompt would; null for one that asks nothing. */
function askedBy(record: Json): "prompts" | "sent" | null {
  const { type, isMeta, message, attachment, isCompactSummary } = record;
  const queued = attachment as Json | undefined;
  if (type === "attachment")
    return queued?.type === "queued_command" && queued.commandMode === "prompt"
      ? senderOf(queued, queued.prompt)
      : null;
  const isAside = isMeta === true || isCompactSummary === true;
  return type === "user" && !isAside ? senderOf(record, (message as Json).content) : null;
}

function senderOf(record: Json, content: unknown): "prompts" | "sent" | null {
  const origin = record.origin as Json | string | undefined;
  const named = [
    ...[typeof origin === "object" ? origin.kind : origin, record.promptSource, record.turnOrigin],
    ...[record.userType, record.wakeupSource && "timer"],
  ].filter((name) => typeof name === "string");
  if (named.some((name) => name === "system" || /notification$/.test(name))) return null;
  const words = wordsOf(content);
  if (words === "" || NOBODY.test(words)) return null;
  const tag = SENT.exec(words)?.[1];
  if (tag !== undefined) {
    const bodies = [...words.matchAll(new RegExp(`<${tag}\\b[^>]*>([\\s\\S]*?)(?:</${tag}>|$)`, "g"))];
    return bodies.some(([, body = ""]) => body.trim() !== "" && !STATE.test(body)) ? "sent" : null;
  }
  return named.every((name) => PERSON.test(name)) ? "prompts" : "sent";
}

function wordsOf(content: unknown): string {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : (content as Json[]);
  const texts = blocks.filter(({ type }) => type === "text").map(({ text }) => String(text));
  return texts.join("\n").replace(ADDED, "").trim();
}

function addBlock(counts: Counts, type: unknown, block: Json, touch: (path: unknown) => void): void {
  if (type === "assistant" && block.type === "text" && String(block.text).trim() !== "") counts.answers++;
  if (type === "assistant" && block.type === "tool_use") {
    const input = (block.input ?? {}) as Json;
    if (!BOOKS.test(String(block.name))) counts.toolCalls++;
    // A plan is handed in as words.
    if (block.name === "ExitPlanMode" && typeof input.plan === "string") counts.answers++;
    touch(input[FILES[String(block.name)] ?? ""]);
  }
  const hasFailed = type === "user" && block.type === "tool_result" && block.is_error === true;
  if (hasFailed && !REFUSED.test(JSON.stringify(block.content))) counts.failures++;
}

/** Notes a file that a call was given, and the directory that the call ran in. */
type Touch = (cwd: string, path: unknown) => void;

/** Counts the records of one file; what was said before in another one counts only as touching files of this one. */
class FileCount {
  /** What a typed command counts as once work follows it. */
  #command: "prompts" | "sent" | null = null;

  #isServers = false;
  readonly #isSubagent: boolean;
  readonly #touch: Touch;

  constructor(file: string, touch: Touch) {
    this.#isSubagent = AGENT.test(file);
    this.#touch = touch;
  }

  add(record: Json, into: Counts): void {
    const isAside = this.#isSubagent || record.isSidechain === true;
    this.#ask(isAside ? null : askedBy(record), record, into);
    const touch = (path: unknown) => this.#touch(String(record.cwd), path);
    for (const block of listAt(record.message, "content")) addBlock(into, record.type, block, touch);
  }

  #ask(asked: "prompts" | "sent" | null, record: Json, into: Counts): void {
    if (record.type === "assistant" && this.#command !== null) {
      into[this.#command]++;
      this.#command = null;
    }
    if (asked === null) return;
    const words = wordsOf((record.message as Json | undefined)?.content ?? "");
    const isCommand = words.startsWith("<command-");
    // What a server's command becomes is that server's prompt.
    if (!isCommand) into[this.#isServers ? "sent" : asked]++;
    this.#command = isCommand ? asked : null;
    this.#isServers = /^<command-name>\/mcp__/.test(words);
  }
}

export const count: Count = (home, project) => {
  const counts = nothing();
  const [files, seen] = [new Set<string>(), new Set<unknown>()];
  const folders = [".claude", ".config/claude"].map((name) => `${home}/${name}/projects`);
  const paths = folders
    .flatMap((folder) => filesIn(folder, /\.jsonl$/))
    .filter((path) => !ASIDE.test(path) && isOf(project, path));
  for (const file of paths) {
    const counted = new FileCount(file, (cwd, path) => mentionAt(files, file, project, cwd, path));
    // A resume has copies of what was said before.
    for (const record of linesOf(file))
      if (!isMade(record)) counted.add(record, isNew(record.uuid, seen) ? counts : nothing());
  }
  const subagents = new Set(paths.flatMap((file) => AGENT.exec(file)?.[0] ?? []));
  return { ...counts, mentions: files.size, subagents: subagents.size };
};

/** What stands where an answer would, and no model said. */
function isMade({ isApiErrorMessage, message }: Json): boolean {
  return isApiErrorMessage === true || (message as Json | undefined)?.model === "<synthetic>";
}

/** Whether a file belongs to a project: by the first or the last directory that its records name, below it or not. */
function isOf(project: string, file: string): boolean {
  const path = /^[A-Za-z]:/.test(project) ? win32 : posix;
  const named = linesOf(file).flatMap(({ cwd }) => (typeof cwd === "string" ? cwd : []));
  return [named[0], named.at(-1)].some(
    (cwd) => cwd !== undefined && !/^\.\./.test(path.relative(project, cwd)),
  );
}

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
