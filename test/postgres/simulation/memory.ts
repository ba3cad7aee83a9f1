import { Database } from "bun:sqlite";
import { appendFileSync, copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { turnKey } from "../../../src/store/identity.ts";
import type { SqliteStore } from "../../../src/store/sqlite/sqlite.ts";
import { openStore } from "../../store/builders.ts";

/** A turn that the transcript of a member holds; a later line with the same id changes it. */
export interface Line {
  id: string;
  text: string;
}

/** What a member took back: noted before (`tried`) and when it was done. */
export interface Removal {
  id: string;
  how: "unshare" | "forget";
  state: "tried" | "done";
}

/** A turn as a memory holds it. */
export interface HeldTurn {
  turnId: number;
  author: string;
  id: string;
  text: string;
  /** Texts of its chunks, in order. */
  chunks: string;
  /** The team has it, from this member or another. */
  isShared: boolean;
}

/** The files of a member: a transcript, a memory, and what was unshared. */
export class MemberFiles {
  readonly author: string;
  readonly database: string;
  readonly errors: string;
  readonly #transcript: string;
  readonly #removals: string;

  constructor(directory: string, author: string) {
    this.author = author;
    const file = (name: string) => join(directory, `${author}.${name}`);
    this.database = file("db");
    this.errors = file("errors");
    this.#transcript = file("transcript.jsonl");
    this.#removals = file("removals.jsonl");
  }

  get session(): string {
    return `session-of-${this.author}`;
  }

  open(): Promise<SqliteStore> {
    return openStore(this.database, { busyTimeoutMs: 20_000 });
  }

  append(line: Line): void {
    appendFileSync(this.#transcript, `${JSON.stringify(line)}\n`);
  }

  lines(): Map<string, string> {
    return new Map(parsed<Line>(this.#transcript).map(({ id, text }) => [id, text]));
  }

  note(removal: Removal): void {
    appendFileSync(this.#removals, `${JSON.stringify(removal)}\n`);
  }

  removals(): Removal[] {
    return parsed<Removal>(this.#removals);
  }

  problems(): string[] {
    return existsSync(this.errors) ? readFileSync(this.errors, "utf8").trim().split("\n") : [];
  }

  /** Copies the memory while nobody has it open. */
  copyTo(file: string): void {
    this.settle();
    copyFileSync(this.database, file);
  }

  restoreFrom(file: string): void {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(this.database + suffix, { force: true });
    copyFileSync(file, this.database);
  }

  /** Empties the log into the file. */
  settle(): void {
    const db = new Database(this.database);
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
  }

  /** The turns in the memory. Throws where a pulled turn has another key than its transcript gives. */
  turns(): HeldTurn[] {
    const db = new Database(this.database, { readonly: true });
    const rows = db
      .query<
        Omit<HeldTurn, "author" | "isShared"> & {
          author: string | null;
          isShared: number;
          key: Uint8Array | null;
          session: string;
        },
        []
      >(
        `SELECT t.id AS turnId, t.author, t.prompt_uuid AS id, t.full_text AS text, t.turn_key AS key,
           t.session_id AS session,
           (SELECT json_group_array(c.content) FROM (SELECT content FROM chunks WHERE turn_id = t.id ORDER BY chunk_index) c)
             AS chunks,
           t.device_id IS NOT NULL OR EXISTS (SELECT 1 FROM team_changes c WHERE c.turn_id = t.id AND c.kind = 'put')
             AS isShared
         FROM turns t ORDER BY t.author, t.prompt_uuid`,
      )
      .all();
    db.close();
    return rows.map(({ key, session, isShared, ...row }) => {
      const expected = turnKey({
        client: "claude-code",
        sessionId: session,
        agentId: null,
        promptUuid: row.id,
        lineIndex: null,
        createdAt: null,
      });
      if (row.author !== null && Buffer.compare(expected, key ?? new Uint8Array(0)) !== 0)
        throw new Error(`${row.id} has another key in the memory of ${this.author}`);
      return { ...row, author: row.author ?? this.author, isShared: isShared !== 0 };
    });
  }
}

/** The lines of a file; one that a killed process did not finish is left out. */
function parsed<Item>(file: string): Item[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Item];
      } catch {
        return [];
      }
    });
}
