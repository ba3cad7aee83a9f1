import { statSync } from "node:fs";
import * as v from "valibot";
import { NOTE } from "../../constants.ts";
import { MementorError } from "../../errors.ts";
import { ioError } from "../../io/errors.ts";
import { statIfExists } from "../../io/read.ts";
import type { Held } from "../../store/stored.ts";
import { LineReader } from "../transcript/lines.ts";
import {
  type ExportHeader,
  type ExportRecord,
  HeaderSchema,
  RecordSchema,
  VECTORS_VERSION,
} from "./schema.ts";

/** One line of an export: its record, or why it is invalid. */
export type ImportLine = { line: number; bytes: number } & ({ record: ExportRecord } | { problem: string });

/** Reads an export line by line. Throws `import_invalid` when the file is not an export or its version is too new. */
export class ExportReader {
  readonly header: ExportHeader;
  readonly #lines: LineReader;
  #line = 1;

  /** Throws like `ioError` for a file that cannot be opened. */
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

  /** The lines after the header. An invalid line does not affect the others. */
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
  // Never quotes the line: it may hold anything.
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

/** What an export holds. */
export interface ExportContent extends Held {
  /** The name in the file; empty when it has none. */
  origin: string;
  bytes: number;
  /** ISO 8601. Times of the oldest and the newest turn; null without times. */
  from: string | null;
  to: string | null;
  /** Number of lines that cannot be imported. */
  invalid: number;
}

/** Reads an export and returns what it holds. Stores nothing. Throws `import_invalid` when the file is not an export. */
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
