import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { Glob } from "bun";

/**
 * Counts what transcripts hold by parsing every line, without any code of the reader: a second opinion.
 * `bun test/support/count-transcripts.ts PATH...` prints it for files and directories.
 */
export interface Counts {
  lines: number;
  prompts: number;
  subagents: number;
  compactions: number;
  prLinks: number;
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Objects of a line; those that stand behind one another without a newline are told apart by trying every `}{`. */
function objectsOf(line: string): Json[] {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? [value] : [];
  } catch {
    for (let at = line.indexOf('}{"'); at >= 0; at = line.indexOf('}{"', at + 1)) {
      try {
        const first: unknown = JSON.parse(line.slice(0, at + 1));
        return [...(isObject(first) ? [first] : []), ...objectsOf(line.slice(at + 1))];
      } catch {}
    }
    return [];
  }
}

const NOT_TYPED = [
  "<command-",
  "<local-command-",
  "<bash-",
  "<task-notification>",
  "[Request interrupted",
  "Caveat: The messages below",
  "This session is being continued",
];

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  if (content.some((block) => isObject(block) && block.type === "tool_result")) return "";
  const texts = content.map((block) =>
    typeof block === "string"
      ? block
      : isObject(block) && block.type === "text"
        ? String(block.text ?? "")
        : "",
  );
  return texts.join("\n");
}

/** Whether an entry is a prompt that a person (or a teammate) gave in the main conversation. */
function isPrompt(entry: Json): boolean {
  if (entry.type !== "user" || entry.isMeta === true || entry.isSidechain === true) return false;
  if (entry.isCompactSummary === true || "toolUseResult" in entry || entry.promptSource === "system")
    return false;
  if (isObject(entry.origin) && entry.origin.kind === "task-notification") return false;
  const message = entry.message;
  const text = textOf(isObject(message) ? message.content : message)
    .replace(/<(system-reminder|ide_opened_file|ide_selection)>[\s\S]*?<\/\1>/g, "")
    .replace(/<teammate-message[^>]*>\s*\{"type":"\w+_notification"[^<]*<\/teammate-message>/g, "")
    .trim();
  return text !== "" && !NOT_TYPED.some((start) => text.startsWith(start));
}

function countFile(path: string, counts: Counts, agents: Set<string>, seen: Set<string>): void {
  const isAgentFile = basename(path).startsWith("agent-");
  if (isAgentFile) agents.add(basename(path));
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  counts.lines += lines.length;
  for (const entry of lines.flatMap((line) => objectsOf(line.replace(/^\0+/, "")))) {
    const key = `${path} ${entry.uuid}`;
    if (!isAgentFile && isPrompt(entry) && !seen.has(key)) counts.prompts++;
    if (typeof entry.uuid === "string") seen.add(key);
    if (!isAgentFile && isCompaction(entry)) counts.compactions++;
    if (entry.type === "pr-link") counts.prLinks++;
  }
}

function isCompaction({ type, subtype, isSidechain }: Record<string, unknown>): boolean {
  return type === "system" && subtype === "compact_boundary" && isSidechain !== true;
}

export function transcriptsIn(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (path.endsWith(".jsonl")) return [path];
    const files = [...new Glob("**/*.jsonl").scanSync({ cwd: path, absolute: true })];
    return files
      .filter((file) => !/agent-acompact|queries\.jsonl$|negatives\.jsonl$/.test(basename(file)))
      .sort();
  });
}

export function countTranscripts(files: readonly string[]): Counts {
  const counts: Counts = { lines: 0, prompts: 0, subagents: 0, compactions: 0, prLinks: 0 };
  const agents = new Set<string>();
  for (const file of files) countFile(file, counts, agents, new Set());
  return { ...counts, subagents: agents.size };
}

if (import.meta.main) {
  const counts = countTranscripts(transcriptsIn(process.argv.slice(2)));
  process.stdout.write(`${JSON.stringify(counts)}\n`);
}
