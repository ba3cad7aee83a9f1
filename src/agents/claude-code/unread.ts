import { objectOf, parseObject, stringOf } from "../../io/json.ts";
import { statIfExists } from "../../io/read.ts";
import { onOneLine } from "../../text/one-line.ts";
import { tailOf } from "../files.ts";
import { askedIn } from "./asked.ts";

/** What stands in a transcript behind what the memory has read. */
export interface Unread {
  /** Ids of the prompts that the agent sees, also of those that a resumed or forked session copied. */
  prompts: string[];
  /** Whether there is a compaction: what the memory has read came before it. */
  isCompacted: boolean;
  /** What this program answered the agent, each answer on one line. */
  answers: string[];
}

/** More of the end of a transcript is not read. */
const MAX_BYTES = 64_000_000;

/** Returns the prompts and answers behind a place in a transcript, since the last compaction there. */
export function unreadOf(path: string, from: number): Unread {
  const size = statIfExists(path)?.size ?? 0;
  const unread: Unread = { prompts: [], isCompacted: false, answers: [] };
  if (size <= from) return unread;
  let calls: string[] = [];
  for (const line of tailOf(path, Math.min(size - from, MAX_BYTES)).split("\n")) {
    if (line.includes('"compact_boundary"') && parseObject(line)?.subtype === "compact_boundary") {
      unread.prompts = [];
      calls = [];
      unread.isCompacted = true;
    }
    if (/"type"\s*:\s*"user"/.test(line) && !line.includes('"tool_use_id"'))
      unread.prompts.push(...idsIn(line));
    if (line.includes("mementor")) calls.push(line);
  }
  return { ...unread, answers: askedIn(calls).flatMap(({ got }) => (got === null ? [] : [onOneLine(got)])) };
}

/** The id of an entry, and that of the entry that it was copied from. */
function idsIn(line: string): string[] {
  const raw = parseObject(line);
  if (!raw || raw.isSidechain === true) return [];
  return [stringOf(raw.uuid), stringOf(objectOf(raw.forkedFrom)?.messageUuid)].filter((id) => id !== null);
}
