import { objectOf, objectsOf, parseObject, stringOf } from "../../io/json.ts";
import { contentOf } from "./content.ts";
import { type Entry, entryOf } from "./entry.ts";
import { blocksOf, isToolUse } from "./texts.ts";

/** What an agent asked this program, and what it got. */
export interface AskedQuestion {
  /** The command line, or what the tool was asked. */
  question: string;
  /** Null where the call has no result. */
  got: string | null;
}

const COMMAND = /\bmementor\S{0,200}\s{1,20}(recall\b[\s\S]*)/;
const TOOL = /mementor.{0,200}__(?!note$)(\w+)$/;

/** Returns what was asked in these lines of a transcript, in order. */
export function askedIn(lines: readonly string[]): AskedQuestion[] {
  const entries = lines.filter((line) => line.includes('"tool_')).flatMap(entriesIn);
  const results = new Map(
    entries.flatMap((entry) => contentOf(entry).results.map(({ callId, text }) => [callId, text] as const)),
  );
  return entries.flatMap((entry) =>
    objectsOf(blocksOf(entry))
      .filter(isToolUse)
      .flatMap(({ id, name, input }) => {
        const question = questionOf(stringOf(name) ?? "", objectOf(input) ?? {});
        return question === null ? [] : [{ question, got: results.get(stringOf(id)) ?? null }];
      }),
  );
}

function questionOf(name: string, input: Record<string, unknown>): string | null {
  const tool = TOOL.exec(name)?.[1];
  if (tool === undefined) return COMMAND.exec(stringOf(input.command) ?? "")?.[1]?.trim() ?? null;
  const given = Object.values(input).filter(
    (value) => typeof value === "string" || typeof value === "number",
  );
  return `${tool} ${given.join(" ")}`.trim();
}

function entriesIn(line: string): Entry[] {
  const raw = parseObject(line);
  const entry = raw ? entryOf(raw) : null;
  return entry === null ? [] : [entry];
}
