import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { discoverTranscripts } from "../../../src/agents/claude-code/agent.ts";
import { asObject, asObjects, asString, type JsonObject, parseObject } from "../../../src/io/json.ts";
import { promptOf } from "./prompt-of.ts";

/** A call of a tool that the file hook is asked before. */
export interface FileCall {
  tool: string;
  id: string;
  input: JsonObject;
}

/** A line of a transcript that is not empty. */
export interface Row {
  /** When it was written, ISO 8601; that of the line before where it has none. */
  time: string;
  text: string;
  cwd: string | null;
  prompt: string | null;
  files: FileCall[];
}

/** A session's own transcript. Those of its subagents are left out. */
export interface Session {
  id: string;
  /** The name of the client's folder that it lies in. */
  folder: string;
  rows: Row[];
}

/** A corpus by its name in labels. */
export interface History {
  corpus: string;
  sessions: Session[];
}

const FILE_TOOLS = new Set(["Read", "Edit", "MultiEdit", "Write"]);

/** Reads the sessions below a directory, or below the folder `projects` in it. */
export async function readHistory(directory: string): Promise<History> {
  const named = resolve(directory);
  const corpus = basename(named) === "projects" ? basename(dirname(named)) : basename(named);
  const inside = join(named, "projects");
  const root = statSync(inside, { throwIfNoEntry: false })?.isDirectory() ? inside : named;
  const sessions: Session[] = [];
  for await (const path of discoverTranscripts(root)) {
    if (path.split(sep).includes("subagents")) continue;
    const rows = readRows(readFileSync(path, "utf8"));
    sessions.push({ id: basename(path, ".jsonl"), folder: basename(dirname(path)), rows });
  }
  return { corpus, sessions };
}

/** Reads a transcript. Its rows are the lines that are not empty, as in `mementor show --json`. */
export function readRows(transcript: string): Row[] {
  const rows: Row[] = [];
  let time = "";
  for (const text of transcript.split("\n")) {
    if (text.trim() === "") continue;
    const entry = parseObject(text) ?? {};
    time = asString(entry.timestamp) ?? time;
    rows.push({
      ...{ time, text, cwd: asString(entry.cwd), prompt: promptOf(entry) },
      files: callsIn(entry).filter(({ tool }) => FILE_TOOLS.has(tool)),
    });
  }
  const first = rows.find((row) => row.time !== "")?.time ?? "";
  return rows.map((row) => (row.time === "" ? { ...row, time: first } : row));
}

function callsIn(entry: JsonObject): FileCall[] {
  if (entry.type !== "assistant" || entry.isSidechain === true) return [];
  return asObjects(asObject(entry.message)?.content).flatMap(({ type, name, id, input }) =>
    type === "tool_use" && typeof name === "string"
      ? [{ tool: name, id: asString(id) ?? "", input: asObject(input) ?? {} }]
      : [],
  );
}
