import { MementorError } from "../../../errors.ts";
import type { Input } from "../../../host.ts";
import { within } from "../../../io/within.ts";
import { fileHistoryTool, recentTool, sessionsTool } from "../../../mcp/lists.ts";
import { openMemory } from "../../../mcp/memory.ts";
import { searchTool } from "../../../mcp/search.ts";
import { showTool } from "../../../mcp/show.ts";
import type { Tool } from "../../../mcp/tool.ts";
import type { Runtime } from "../../../runtime.ts";
import { isTurnNumber } from "../../named-turns.ts";
import { renderJson } from "../../terminal/view.ts";

export interface RecallOptions {
  show?: string | undefined;
  thinking: boolean;
  file?: string | undefined;
  recent: boolean;
  sessions: boolean;
  limit?: number | undefined;
  cursor?: number | undefined;
  json: boolean;
}

/** A question on stdin, in bytes, and how long it is waited for: what starts the command may leave its stdin open. */
const TYPED = { bytes: 100_000, ms: 2_000 };

/**
 * Answers as the tools of the MCP server do, in the project that it is started in. Returns the exit code. Rejects with
 * `usage` for two questions at once.
 */
export async function recall(typed: string, options: RecallOptions, runtime: Runtime): Promise<number> {
  const query = isAsked(typed, options) ? typed : await questionOn(runtime.host.stdin);
  const [tool, wanted] = chosen(query, options);
  const { limit, json } = options;
  const cursor = options.cursor?.toString();
  const paging = tool === showTool ? { cursor } : { limit, cursor };
  const { text, structured } = await tool.call(
    { ...wanted, ...paging },
    openMemory(runtime, runtime.host.cwd, { by: "command" }).askedBy({ words: runtime.host.argv }),
  );
  runtime.host.stdout.write(json ? renderJson(structured) : `${text}\n`);
  return 0;
}

function isAsked(typed: string, { show, file, recent, sessions }: RecallOptions): boolean {
  return typed !== "" || show !== undefined || file !== undefined || recent || sessions;
}

/**
 * The question that a heredoc or a pipe holds, in which no shell reads quotes or `$`; empty without one. A file is none: an answer
 * names words of its question, and whoever may ask without being asked must not read files by that.
 */
async function questionOn(stdin: Input): Promise<string> {
  if (stdin.isNamedFile)
    throw new MementorError(
      "usage",
      "A question comes from the command line, a heredoc or a pipe, not from a file.",
      {
        hint: "mementor recall <<'EOF'",
      },
    );
  if (stdin.isTerminal) return "";
  const bytes = await within(TYPED.ms, stdin.read(TYPED.bytes));
  return bytes === null ? "" : new TextDecoder().decode(bytes).trim();
}

/** Returns the tool that answers, and what it is asked. Throws `usage` unless exactly one thing is asked for. */
function chosen(query: string, { show, thinking, file, recent, sessions }: RecallOptions): [Tool, object] {
  const asked: [Tool, object][] = [
    ...(query === "" ? [] : [[searchTool, { query }] satisfies [Tool, object]]),
    ...(show === undefined ? [] : [[showTool, shown(show, thinking)] satisfies [Tool, object]]),
    ...(file === undefined ? [] : [[fileHistoryTool, { path: file }] satisfies [Tool, object]]),
    ...(recent ? [[recentTool, {}] satisfies [Tool, object]] : []),
    ...(sessions ? [[sessionsTool, {}] satisfies [Tool, object]] : []),
  ];
  const [first, ...others] = asked;
  if (first !== undefined && others.length === 0) return first;
  throw new MementorError("usage", "Ask one thing.", {
    hint: "Give a question, --show <turn>, --file <path>, --recent or --sessions.",
  });
}

/** Numbers of the first and the last of several turns. The start of a session's id has eight digits before its hyphen. */
const SEVERAL = /^(\d{1,7})-(\d{1,7})$/;

function shown(typed: string, thinking: boolean): object {
  const [, first, last] = SEVERAL.exec(typed) ?? [];
  if (first !== undefined && last !== undefined) return { turn: Number(first), to_turn: Number(last) };
  return isTurnNumber(typed) ? { turn: Number(typed), thinking } : { session: typed };
}
