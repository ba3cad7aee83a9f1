import type { Compaction, FileMention, PrLink, SessionFacts, SubagentFacts, Turn } from "../../domain.ts";
import { UNTRUSTED } from "../../io/untrusted.ts";
import { printable } from "../../text/invisible.ts";
import { mapText, parseText } from "../../turn/grammar.ts";
import type { TurnText } from "../../turn/text.ts";
import type { ExcludeTest } from "../exclude.ts";
import type { ExportRecord, TurnRecord } from "./schema.ts";

/** Decides what must not be stored of imported texts and paths. */
export interface Cleaner {
  redact: (text: string) => string;
  isPathExcluded: ExcludeTest;
}

/** Tags that look like the frame around the output of hooks. */
const FRAME = /<(\s*(?:\/\s*)?mementor-memory\s*)>/gi;

/** Returns a text without secrets, control characters and terminal escapes. Makes tags of mementor's frame harmless. */
function cleanImported(text: string, redact: (text: string) => string): string {
  return redact(printable(text.toWellFormed())).replace(FRAME, "‹$1›");
}

/** Cleans a name like `cleanImported`, and returns it on one line of limited length. */
export function cleanName(text: string, redact: (text: string) => string): string {
  return cleanImported(text, redact).replace(/\s+/g, " ").trim().slice(0, UNTRUSTED.wordChars).toWellFormed();
}

/** Returns the turn as it is stored. A line index of -1 means that the transcript no longer held the turn. */
export function importedTurn(record: TurnRecord, { redact, isPathExcluded }: Cleaner): Turn {
  const name = (given: string | null) => (given === null ? null : cleanName(given, redact));
  const clean = (text: string) => cleanImported(text, redact);
  const excluded = record.mentions.map(({ path }) => path).filter(isPathExcluded);
  return {
    sessionId: record.session_id,
    agentId: record.agent_id,
    isSidechain: record.is_sidechain,
    lineIndex: record.line_index ?? -1,
    // The turn that would replace a provisional turn is in another memory.
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

/** The text with its parts. Exports of version 1 have no parts, so those are parsed from the text. */
function importedText({ text, parts, tools }: TurnRecord, clean: (text: string) => string): TurnText {
  return mapText(parts === null ? parseText(text, tools) : { text, parts }, clean, tools.map(clean));
}

/** Whether a path has no `..`, is not a network share and holds no control characters. URLs must be http or https. */
export function isHarmlessPath(path: string): boolean {
  if (path === "" || path.length > UNTRUSTED.pathChars || path !== printable(path) || /[\n\t]/.test(path))
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
    ...(record.client !== null && { client: record.client }),
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
