import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Count, type Counts, filesIn, type Json, mention, nothing } from "./counts.ts";

const DATA = ".local/share/opencode";

interface Rows {
  sessions: Json[];
  messages: Json[];
  parts: Json[];
}

/** The rows of a copy of the database and its log. */
function rowsOf(home: string): Rows {
  const folder = mkdtempSync(join(tmpdir(), "mementor-count-"));
  try {
    for (const suffix of ["", "-wal"])
      if (existsSync(join(home, DATA, `opencode.db${suffix}`)))
        copyFileSync(join(home, DATA, `opencode.db${suffix}`), join(folder, `copy.db${suffix}`));
    const database = new Database(join(folder, "copy.db"));
    const all = (sql: string) => database.query(sql).all() as Json[];
    const rows = {
      sessions: all("SELECT id, parent_id AS parentID FROM session"),
      messages: all("SELECT id, session_id, data FROM message").map(withData),
      parts: all("SELECT id, message_id, session_id, data FROM part").map(withData),
    };
    database.close();
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function withData({ id, session_id, message_id, data }: Json): Json {
  return { ...JSON.parse(String(data)), id, sessionID: session_id, messageID: message_id };
}

function filesOf(home: string): Rows {
  const read = (kind: string) =>
    filesIn(join(home, DATA, "storage"), new RegExp(`/storage/${kind}/.*\\.json$`)).map((file) =>
      JSON.parse(readFileSync(file, "utf8")),
    );
  return { sessions: read("session"), messages: read("message"), parts: read("part") };
}

/** Counts one part of a message of the model. */
function add(counts: Counts, { type, tool, state, files }: Json, touch: (path: unknown) => void): void {
  if (type === "patch") for (const file of files as string[]) touch(file);
  if (type !== "tool") return;
  const { status, input, metadata, error } = state as Record<string, Json | string | undefined>;
  if (!/^todo/.test(String(tool))) counts.toolCalls++;
  const isRefused = /rejected permission/.test(String(error));
  const exit = Number((metadata as Json | undefined)?.exit ?? 0);
  if ((status === "error" && !isRefused) || exit !== 0) counts.failures++;
  const { filePath, path } = input as Json;
  touch(filePath ?? path);
}

export const count: Count = (home, project) => {
  const { sessions, messages, parts } = existsSync(join(home, DATA, "opencode.db"))
    ? rowsOf(home)
    : filesOf(home);
  const subagents = new Set(sessions.filter(({ parentID }) => parentID).map(({ id }) => id));
  const byMessage = Map.groupBy(parts, ({ messageID }) => messageID);
  const partsOf = ({ id }: Json) => byMessage.get(id) ?? [];
  const textsOf = (message: Json) =>
    partsOf(message).filter(({ type, synthetic }) => type === "text" && synthetic !== true);
  // A fork's copies have the times and texts of their originals; ids rise with time.
  const copies = Map.groupBy(
    messages.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1)),
    (message) =>
      JSON.stringify([
        message.role,
        (message.time as Json).created,
        textsOf(message).map(({ text }) => text),
      ]),
  );
  const counts = nothing();
  const files = new Set<string>();
  for (const [message] of copies.values()) {
    const texts = message === undefined ? [] : textsOf(message);
    if (message?.role === "user" && texts.length > 0 && !subagents.has(message.sessionID)) counts.prompts++;
    if (message?.role !== "assistant") continue;
    if (message.summary !== true) counts.answers += texts.length;
    for (const part of partsOf(message))
      add(counts, part, (path) => mention(files, String(message.sessionID), project, path));
  }
  return { ...counts, mentions: files.size, subagents: subagents.size };
};
