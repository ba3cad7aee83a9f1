import { IMPORT } from "../constants.ts";
import type { Compaction, FileMention, PrLink, SessionFacts, SubagentFacts, Turn } from "../domain.ts";
import type { ExcludeTest } from "../ingest/exclude.ts";
import { printable } from "../text/printable.ts";
import { parseText } from "../turn/grammar.ts";
import { mapText } from "../turn/map.ts";
import type { TurnText } from "../turn/text.ts";
import type { ExportRecord, TurnRecord } from "./schema.ts";

/** Takes out of texts from elsewhere what must not be stored, and of paths those that lead astray. */
export interface Cleaner {
  redact: (text: string) => string;
  isPathExcluded: ExcludeTest;
}

/** Anything that looks like the frame of what hooks tell Claude. */
const FRAME = /<(\s*\/?\s*mementor-memory\s*)>/gi;

/** Returns a text without secrets, control characters and terminal escapes, and with no frame of ours in it. */
export function cleanImported(text: string, redact: (text: string) => string): string {
  return redact(printable(text.toWellFormed())).replace(FRAME, "‹$1›");
}

/** The same on one line, for names. */
export function cleanName(text: string, redact: (text: string) => string): string {
  return cleanImported(text, redact).replace(/\s+/g, " ").trim().slice(0, IMPORT.wordChars).toWellFormed();
}

/** Returns the turn as it is stored; a line of -1 says that its transcript no longer had it. */
export function importedTurn(record: TurnRecord, { redact, isPathExcluded }: Cleaner): Turn {
  const name = (given: string | null) => (given === null ? null : cleanName(given, redact));
  const clean = (text: string) => cleanImported(text, redact);
  const excluded = record.mentions.map(({ path }) => path).filter(isPathExcluded);
  return {
    sessionId: record.session_id,
    agentId: record.agent_id,
    isSidechain: record.is_sidechain,
    lineIndex: record.line_index ?? -1,
    // What would replace it is in another memory.
    provisional: false,
    role: record.role,
    origin: record.origin,
    ...importedText(record, clean),
    toolSummary: record.tools.filter((tool) => !excluded.some((path) => tool.includes(path))).map(clean),
    mentions: record.mentions.flatMap(({ path, tool }): FileMention[] => {
      if (!isHarmlessPath(path) || isPathExcluded(path)) return [];
      return [{ filePath: redact(path), toolName: cleanName(tool, redact) }];
    }),
    commits: record.commits.map(({ hash, message }) => ({ hash, message: cleanImported(message, redact) })),
    createdAt: record.created_at,
    endedAt: record.ended_at,
    branch: name(record.branch),
    cwd: name(record.cwd),
    model: name(record.model),
    clientVersion: name(record.client_version),
    promptUuid: record.prompt_uuid,
    entryUuids: record.entry_uuids,
  };
}

/** The text with its parts; those of an older export, which has none, are parsed. */
function importedText({ text, parts, tools }: TurnRecord, clean: (text: string) => string): TurnText {
  return mapText(parts === null ? parseText(text, tools) : { text, parts }, clean, tools.map(clean));
}

/** No way up, no network share, nothing that a terminal acts on; web addresses by http alone. */
export function isHarmlessPath(path: string): boolean {
  if (path === "" || path.length > IMPORT.pathChars || path !== printable(path) || /[\n\t]/.test(path))
    return false;
  if (path.includes("://")) return /^https?:\/\/[^\s]+$/.test(path);
  if (/^(?:\\\\|\/\/)/.test(path)) return false;
  return !path.split(/[/\\]/).includes("..");
}

export function importedSession(
  record: Extract<ExportRecord, { type: "session" }>,
  { redact }: Cleaner,
): SessionFacts {
  const name = (given: string | null) => (given === null ? null : cleanName(given, redact));
  return {
    sessionId: record.session_id,
    projectDir: name(record.project_dir),
    title: name(record.title) || null,
    titleSource: record.title_source,
    firstPrompt: name(record.first_prompt) || null,
    automated: record.automated,
    branch: name(record.branch),
    startedAt: record.started_at,
    endedAt: record.ended_at,
  };
}

export function importedSubagent(
  record: Extract<ExportRecord, { type: "subagent" }>,
  { redact }: Cleaner,
): SubagentFacts {
  const name = (given: string | null) => (given === null ? null : cleanName(given, redact));
  const { session_id: sessionId, agent_id: agentId } = record;
  return { sessionId, agentId, agentType: name(record.agent_type), task: name(record.task) };
}

export function importedPrLink(
  record: Extract<ExportRecord, { type: "pr_link" }>,
  { redact }: Cleaner,
): PrLink {
  return {
    sessionId: record.session_id,
    prNumber: record.pr_number,
    prUrl: redact(record.pr_url),
    prRepository: cleanName(record.pr_repository, redact),
    timestamp: record.time,
  };
}

export function importedCompaction(
  record: Extract<ExportRecord, { type: "compaction" }>,
  { redact }: Cleaner,
): Compaction {
  return {
    sessionId: record.session_id,
    lineIndex: record.line_index,
    trigger: record.trigger === null ? null : cleanName(record.trigger, redact),
    preTokens: record.pre_tokens,
    timestamp: record.time,
  };
}
