import { existsSync } from "node:fs";
import { join } from "node:path";
import { asObject, asObjects, asString, parseObject } from "../../io/json.ts";
import { statIfExists } from "../../io/read.ts";
import { onOneLine } from "../../text/lines.ts";
import type { Environment } from "../agent.ts";
import { readHead, readTail } from "../files.ts";
import { discoverTranscripts } from "./agent.ts";
import { contentOf } from "./content.ts";
import { type Entry, isToolUse, messageBlocks, parseEntry } from "./entry.ts";
import { transcriptFolders } from "./home.ts";
import { sourceFile } from "./project-sessions.ts";

/** An agent's call that this program answers, identified by the words of its command line or by the agent's id. */
export type RunningCall = { words: readonly string[] } | { id: string };

/** Bytes at the end of a transcript that contain a running call. */
const TAIL_BYTES = 256_000;
/** Maximum subagents to examine; not more run at once. */
const MAX_SUBAGENTS = 40;

/** Returns the path of a session's transcript, whatever directory the session was started in; null when not found. */
export function findTranscript(sessionId: string, environment: Environment): string | null {
  const files = transcriptFolders(environment).map((folder) => join(folder, `${sessionId}.jsonl`));
  return files.find((file) => existsSync(file)) ?? null;
}

/**
 * Returns the subagent whose transcript ends in the still unanswered call; null for the main conversation, and when no subagent
 * has the call.
 */
export async function callingSubagent(sessionFile: string, call: RunningCall): Promise<string | null> {
  const folder = sessionFile.replace(/\.jsonl$/, "");
  if (statIfExists(folder)?.isDirectory() !== true) return null;
  const files: { path: string; time: number }[] = [];
  for await (const path of discoverTranscripts(folder))
    files.push({ path, time: statIfExists(path)?.mtimeMs ?? 0 });
  files.sort((a, b) => b.time - a.time);
  const found = files.slice(0, MAX_SUBAGENTS).find(({ path }) => isCalledIn(path, call));
  // A subagent forked from its session began with the session's context, and sees the same as the session.
  return found === undefined || isForked(found.path) ? null : sourceFile(found.path).agentId;
}

function isForked(path: string): boolean {
  return readHead(path, TAIL_BYTES).includes('"fork-context-ref"');
}

function isCalledIn(path: string, call: RunningCall): boolean {
  const lines = readTail(path, TAIL_BYTES).split("\n");
  const entries = lines.filter((line) => line.includes('"tool_')).flatMap(entriesIn);
  const blocks = entries.flatMap((entry) => asObjects(messageBlocks(entry)));
  const answered = new Set(blocks.map(({ tool_use_id: id }) => asString(id)));
  return blocks.filter(isToolUse).some(({ id, input }) => {
    if (answered.has(asString(id))) return false;
    return "id" in call
      ? asString(id) === call.id
      : lettersOf(asString(asObject(input)?.command) ?? "").includes(lettersOf(call.words.join("")));
  });
}

function entriesIn(line: string): Entry[] {
  const raw = parseObject(line);
  const entry = raw ? parseEntry(raw) : null;
  return entry === null ? [] : [entry];
}

/** Removes everything but letters and digits, because a shell removes quotes and backslashes. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

/** The content of a transcript after the part that the memory has read. */
export interface UnreadContent {
  /** Ids of the prompts in the agent's context, including those that a resumed or forked session copied. */
  prompts: string[];
  /** True after a compaction: everything that the memory has read came before it. */
  isCompacted: boolean;
  /** Answers of this program to the agent, each on one line. */
  answers: string[];
}

/** Maximum bytes to read from the end of a transcript. */
const MAX_BYTES = 64_000_000;

/** Returns the prompts and answers after a byte offset in a transcript, since the last compaction there. */
export function readUnread(path: string, from: number): UnreadContent {
  const size = statIfExists(path)?.size ?? 0;
  const unread: UnreadContent = { prompts: [], isCompacted: false, answers: [] };
  if (size <= from) return unread;
  let calls: string[] = [];
  for (const line of readTail(path, Math.min(size - from, MAX_BYTES)).split("\n")) {
    if (line.includes('"compact_boundary"') && parseObject(line)?.subtype === "compact_boundary") {
      unread.prompts = [];
      calls = [];
      unread.isCompacted = true;
    }
    if (/"type"\s*:\s*"user"/.test(line) && !line.includes('"tool_use_id"'))
      unread.prompts.push(...idsIn(line));
    if (line.includes("mementor")) calls.push(line);
  }
  return {
    ...unread,
    answers: findQuestions(calls).flatMap(({ got }) => (got === null ? [] : [onOneLine(got)])),
  };
}

/** Returns the id of an entry, and that of the entry that it was copied from. */
function idsIn(line: string): string[] {
  const raw = parseObject(line);
  if (!raw || raw.isSidechain === true) return [];
  return [asString(raw.uuid), asString(asObject(raw.forkedFrom)?.messageUuid)].filter((id) => id !== null);
}

/** An agent's question to this program, with the answer. */
export interface AskedQuestion {
  /** The command line, or the query of the tool call. */
  question: string;
  /** The answer; null for a call without a result. */
  got: string | null;
}

const COMMAND = /\bmementor\S{0,200}\s{1,20}(recall\b[\s\S]*)/;
const TOOL = /mementor.{0,200}__(?!note$)(\w+)$/;

/** Returns the questions in these lines of a transcript, in order. */
export function findQuestions(lines: readonly string[]): AskedQuestion[] {
  const entries = lines.filter((line) => line.includes('"tool_')).flatMap(entriesIn);
  const results = new Map(
    entries.flatMap((entry) => contentOf(entry).results.map(({ callId, text }) => [callId, text] as const)),
  );
  return entries.flatMap((entry) =>
    asObjects(messageBlocks(entry))
      .filter(isToolUse)
      .flatMap(({ id, name, input }) => {
        const question = questionOf(asString(name) ?? "", asObject(input) ?? {});
        return question === null ? [] : [{ question, got: results.get(asString(id)) ?? null }];
      }),
  );
}

function questionOf(name: string, input: Record<string, unknown>): string | null {
  const tool = TOOL.exec(name)?.[1];
  if (tool === undefined) return COMMAND.exec(asString(input.command) ?? "")?.[1]?.trim() ?? null;
  const given = Object.values(input).filter(
    (value) => typeof value === "string" || typeof value === "number",
  );
  return `${tool} ${given.join(" ")}`.trim();
}
