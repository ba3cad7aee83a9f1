import { NOTE } from "../constants.ts";
import { statIfExists } from "../io/read.ts";
import type { Held } from "../store/stored.ts";
import { ExportReader } from "./lines.ts";

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
