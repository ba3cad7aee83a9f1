import { Blocks, LineReader } from "../ingest/transcript/lines.ts";
import { type JsonObject, parseObject } from "../io/json.ts";

/** What a file does not say within this many bytes it does not say later. A first record may hold several pictures. */
const MAX_BYTES = 64 << 20;

/**
 * Yields the lines of a file from its start, reading on as they are asked for: who looks for something takes the first line
 * that has it, however long those before it are. Ends quietly where the file cannot be read. The last line may be cut.
 */
export function* headLines(path: string): Iterable<string> {
  const lines = opened(path);
  if (lines === null) return;
  try {
    do while (lines.next()) yield lines.text();
    while (lines.nextOffset < MAX_BYTES && filled(lines));
    if (lines.rest()) yield lines.text();
  } finally {
    lines.close();
  }
}

function opened(path: string): LineReader | null {
  try {
    return new LineReader(path, 0, { blocks: new Blocks() });
  } catch {
    return null;
  }
}

/** A directory can be opened and not read. */
function filled(lines: LineReader): boolean {
  try {
    return lines.fill();
  } catch {
    return false;
  }
}

/** Yields the records of a file of JSON lines from its start, as `headLines` does. Passes over lines that do not parse. */
export function* headRecords(path: string): Iterable<JsonObject> {
  for (const line of headLines(path)) {
    const record = parseObject(line);
    if (record !== null && record !== undefined) yield record;
  }
}
