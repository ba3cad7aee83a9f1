import { statSync } from "node:fs";
import * as v from "valibot";
import { MementorError } from "../errors.ts";
import { ioError } from "../io/errors.ts";
import { LineReader } from "../transcript/lines.ts";
import {
  EXPORT_VERSION,
  type ExportHeader,
  type ExportRecord,
  HeaderSchema,
  RecordSchema,
} from "./schema.ts";

/** One line of an exported file: what it says, or why it cannot be used. */
export type ImportLine = { line: number; bytes: number } & ({ record: ExportRecord } | { problem: string });

/** Reads an exported file line by line; throws `import_invalid` when it is none, or a newer program's. */
export class ExportReader {
  readonly header: ExportHeader;
  readonly #lines: LineReader;
  #line = 1;

  constructor(path: string) {
    this.#lines = openFile(path);
    try {
      this.header = parseHeader(path, this.#next() ? this.#lines.text() : "");
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    this.#lines.close();
  }

  /** The lines after the first; one that cannot be used costs no other. */
  *records(): Iterable<ImportLine> {
    while (this.#next()) {
      this.#line += 1;
      const bytes = this.#lines.nextOffset - this.#lines.offset;
      const place = { line: this.#line, bytes };
      if (this.#lines.tooLong) yield { ...place, problem: "the line is too long" };
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

// A device or a pipe has no end that could be counted on.
function openFile(path: string): LineReader {
  try {
    if (!statSync(path).isFile()) throw new MementorError("import_invalid", `not a file: ${path}`);
  } catch (error) {
    throw ioError(error, `read ${path}`);
  }
  return new LineReader(path, 0);
}

function parseHeader(path: string, text: string): ExportHeader {
  const parsed = v.safeParse(HeaderSchema, parseJson(text.replace(/^\ufeff/, "")));
  if (!parsed.success)
    throw new MementorError("import_invalid", `not an export of mementor: ${path}`, {
      hint: 'Make one with "mementor export -o memory.jsonl" in the other project.',
    });
  if (parsed.output.version > EXPORT_VERSION)
    throw new MementorError("import_invalid", `${path} was written by a newer mementor`, {
      hint: `It has version ${parsed.output.version}, this program knows ${EXPORT_VERSION}: update mementor.`,
    });
  return parsed.output;
}

function parseRecord(text: string): { record: ExportRecord } | { problem: string } {
  const json = parseJson(text);
  if (json === undefined) return { problem: "not JSON" };
  const parsed = v.safeParse(RecordSchema, json);
  if (parsed.success) return { record: parsed.output };
  const [issue] = parsed.issues;
  const key = issue.path?.map((item) => String(item.key)).join(".");
  if (key === "type" || key === undefined) return { problem: "no known type of line" };
  // What the line says is not repeated: it may be anything.
  return {
    problem: `${key} ${/^(?:is|has) /.test(issue.message) ? issue.message : "is not what it should be"}`,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
