import { statSync } from "node:fs";
import * as v from "valibot";
import { NOTE } from "../../constants.ts";
import type { Compaction, FileMention, PrLink, SessionFacts, SubagentFacts, Turn } from "../../domain.ts";
import { MementorError } from "../../errors.ts";
import { ioError } from "../../io/errors.ts";
import { statIfExists } from "../../io/read.ts";
import { UNTRUSTED } from "../../io/untrusted.ts";
import type { MemoryContents } from "../../store/stored.ts";
import { printable } from "../../text/invisible.ts";
import { mapText, parseText } from "../../turn/grammar.ts";
import type { TurnText } from "../../turn/text.ts";
import type { ExcludeTest } from "../exclude.ts";
import { LineReader } from "../transcript/lines.ts";
import {
  type ExportHeader,
  type ExportRecord,
  HeaderSchema,
  RecordSchema,
  type TurnRecord,
  VECTORS_VERSION,
} from "./schema.ts";

/** One line of an export: its record, or the reason why it is invalid. */
type ImportLine = { line: number; bytes: number } & ({ record: ExportRecord } | { problem: string });

/** Reads an export line by line. Throws `import_invalid` when the file is not an export or its version is too new. */
export class ExportReader {
  readonly header: ExportHeader;
  readonly #lines: LineReader;
  #line = 1;

  /** Opens the file. Throws like `ioError` when that fails. */
  constructor(path: string) {
    this.#lines = openFile(path);
    try {
      this.header = parseHeader(path, this.#next() ? this.#lines.text() : "");
    } catch (error) {
      this.#lines.close();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#lines.close();
  }

  /** Yields the lines after the header. An invalid line does not affect the others. */
  *records(): Iterable<ImportLine> {
    while (this.#next()) {
      this.#line += 1;
      const bytes = this.#lines.nextOffset - this.#lines.offset;
      const place = { line: this.#line, bytes };
      if (this.#lines.tooLong) yield { ...place, problem: "is too long" };
      else {
        const text = this.#lines.text().trim();
        if (text !== "") yield { ...place, ...parseRecord(text) };
      }
    }
  }

  #next(): boolean {
    for (;;) {
      if (this.#lines.next()) return true;
      if (!this.#lines.fill()) return this.#lines.rest();
    }
  }
}

// Only regular files: a device or a pipe may never end.
function openFile(path: string): LineReader {
  try {
    if (!statSync(path).isFile()) throw notRegular(path);
  } catch (error) {
    throw ioError(error, `read ${path}`);
  }
  return new LineReader(path, 0);
}

function notRegular(path: string): MementorError {
  return new MementorError("import_invalid", `${path} is not a regular file.`, {
    hint: 'Name the file that "mementor export -o" wrote.',
  });
}

function parseHeader(path: string, text: string): ExportHeader {
  const parsed = v.safeParse(HeaderSchema, parseJson(text.replace(/^\ufeff/, "")));
  if (!parsed.success)
    throw new MementorError("import_invalid", `${path} is not an export of mementor`, {
      hint: 'Create one with "mementor export -o memory.jsonl" in the other project.',
    });
  if (parsed.output.version > VECTORS_VERSION)
    throw new MementorError("import_invalid", `${path} was written by a newer mementor`, {
      hint: `The export has version ${parsed.output.version}; this mementor reads up to version ${VECTORS_VERSION}. Update mementor.`,
    });
  return parsed.output;
}

function parseRecord(text: string): { record: ExportRecord } | { problem: string } {
  const json = parseJson(text);
  if (json === undefined) return { problem: "is not valid JSON" };
  const parsed = v.safeParse(RecordSchema, json);
  if (parsed.success) return { record: parsed.output };
  const [issue] = parsed.issues;
  const key = issue.path?.map((item) => String(item.key)).join(".");
  if (key === "type" || key === undefined) return { problem: "has an unknown type" };
  // The message never quotes the line, which may contain anything.
  const isOurs = /^(?:is|has|must) /.test(issue.message);
  const what = issue.received === "undefined" ? "is missing" : isOurs ? issue.message : "is invalid";
  return { problem: `${key} ${what}` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The contents of an export. */
export interface ExportContent extends MemoryContents {
  /** Name in the file; empty when it has none. */
  origin: string;
  bytes: number;
  /** Times of the oldest and the newest turn, ISO 8601; null without times. */
  from: string | null;
  to: string | null;
  /** Number of lines that cannot be imported. */
  invalid: number;
}

/** Reads an export and describes its contents. Stores nothing. Throws `import_invalid` when the file is not an export. */
export function previewExport(path: string): ExportContent {
  using reader = new ExportReader(path);
  const content: ExportContent = {
    origin: reader.header.origin,
    bytes: statIfExists(path)?.size ?? 0,
    turns: 0,
    sessions: 0,
    notes: 0,
    from: null,
    to: null,
    invalid: 0,
  };
  const noted = new Set<string>();
  for (const line of reader.records()) {
    if ("problem" in line) content.invalid += 1;
    else if (line.record.type === "session") {
      if (line.record.client === NOTE.client) noted.add(line.record.session_id);
      else content.sessions += 1;
    } else if (line.record.type === "turn")
      addTurn(content, noted.has(line.record.session_id) ? "notes" : "turns", line.record.created_at);
  }
  return content;
}

function addTurn(content: ExportContent, kind: "turns" | "notes", time: string | null): void {
  content[kind] += 1;
  if (time === null) return;
  if (content.from === null || time < content.from) content.from = time;
  if (content.to === null || time > content.to) content.to = time;
}

/** Cleans imported texts and rejects excluded paths. */
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

/** Cleans a name like `cleanImported`, and puts it on one line of limited length. */
export function cleanName(text: string, redact: (text: string) => string): string {
  return cleanImported(text, redact).replace(/\s+/g, " ").trim().slice(0, UNTRUSTED.wordChars).toWellFormed();
}

/** Returns the turn to store. A line index of -1 means that the transcript no longer contained the turn. */
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

/** Returns the text with its parts. Exports of version 1 have no parts, so they are parsed from the text. */
function importedText({ text, parts, tools }: TurnRecord, clean: (text: string) => string): TurnText {
  return mapText(parts === null ? parseText(text, tools) : { text, parts }, clean, tools.map(clean));
}

/** Tells whether a path has no `..` and no control characters, and is not a network share. URLs must be http or https. */
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
