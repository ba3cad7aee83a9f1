import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { BUILT_IN_MODEL } from "../../constants.ts";
import type { FolderStore } from "../folder.ts";
import type { MarkStore, RecallStore } from "../marks.ts";
import { onFirstUse } from "../on-first-use.ts";
import type {
  ForgetStore,
  IngestStore,
  JournalStore,
  LocalBrowseStore,
  LocalSearchStore,
  ModelStore,
  ReadStore,
  SecretStore,
  StatusStore,
  WordStore,
} from "../store.ts";
import type { TeamStore } from "../team.ts";
import { browseStore } from "./browse/store.ts";
import { Connection, type ConnectionOptions } from "./connection/connection.ts";
import { databaseKind, refusalError } from "./connection/version.ts";
import { closeUntouched, type ExpectedIdentity, type OpenMode, openDatabase } from "./file/open.ts";
import type { DatabaseFile } from "./forget/compact.ts";
import { keyTombstones } from "./forget/tombstone-hash.ts";
import { journalStore } from "./journal.ts";
import { activate, activeModel, addModel } from "./vectors/models.ts";
import type { VecLibrary, VectorBackend, VectorSearch } from "./vectors/vector-search.ts";

export interface SqliteOptions extends ConnectionOptions {
  file: string;
  vecLibrary: VecLibrary;
  /** `auto` uses the extension if it can be loaded. */
  vectorBackend: VectorBackend;
  /** `create` creates a missing database; other modes reject with `not_found`. */
  mode: OpenMode;
  busyTimeoutMs: number;
  /** SQLite libraries to try if the system's refuses extensions (macOS). Takes effect only before any other use of SQLite. */
  customSqlite?: readonly string[];
  /** Model of a new database; the built-in one when absent. */
  model?: { id: string; dimensions: number } | undefined;
  /** Maximum size of the database in pages; no limit when absent. */
  maxPages?: number;
  /** The memory that the database must belong to; any when absent. */
  identity?: ExpectedIdentity | undefined;
  log?: (message: string) => void;
}

/** A memory's file. A process may open several; methods reject with `MementorError`. */
export interface SqliteStore extends ReadStore {
  readonly browse: LocalBrowseStore;
  readonly search: LocalSearchStore;
  readonly models: ModelStore;
  readonly local: SqliteStore;
  readonly ingest: IngestStore;
  readonly journal: JournalStore;
  readonly marks: MarkStore;
  readonly forget: ForgetStore;
  readonly secrets: SecretStore;
  readonly words: WordStore;
  readonly status: StatusStore;
  readonly file: DatabaseFile;
  readonly team: TeamStore;
  readonly folder: FolderStore;
  readonly recall: RecallStore;
  /** Returns the authors who have left the team. Loads no other code, because hooks call it. */
  formerMembers(): Promise<string[]>;
  /**
   * Closes the database and leaves the write-ahead log to a later process. Copying the log waits for the disk, which takes
   * several times as long as a hook.
   */
  closeQuickly(): Promise<void>;
}

/**
 * Opens the database of a memory. Creates or migrates it first if the mode allows; loads nothing else.
 *
 * @throws `not_found` for a missing file in a mode that does not create it; `db_newer`, `db_foreign`, `db_corrupt`, `db_locked`
 * or `not_writable` when it cannot be opened.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<SqliteStore> {
  useCustomSqlite(options.customSqlite ?? []);
  const connection = new Connection(await openDatabase(options), options.file, {
    ...options,
    refusal: (db) => refusalError(databaseKind(db), options.file),
  });
  try {
    if (options.maxPages !== undefined)
      connection.exec(`PRAGMA max_page_count = ${Math.trunc(options.maxPages)}`);
    if (options.mode !== "readonly") {
      startWith(connection, options.model ?? BUILT_IN_MODEL);
      if (!keyTombstones(connection))
        options.log?.("the key for forgotten turns has changed: turns forgotten earlier are not recognised");
    }
  } catch (error) {
    connection.db.close();
    throw error;
  }
  let search: Promise<VectorSearch> | undefined;
  const vectors = () => {
    search ??= openSearch(connection, options);
    return search;
  };
  const store: SqliteStore = {
    get local() {
      return store;
    },
    journal: journalStore(connection),
    browse: browseStore(connection),
    ingest: onFirstUse(async () => (await import("./write/store.ts")).ingestStore(connection)),
    search: onFirstUse(async () => (await import("./search/store.ts")).searchStore(connection, vectors)),
    models: onFirstUse(async () => (await import("./vectors/store.ts")).modelStore(connection)),
    forget: onFirstUse(async () => (await import("./forget/store.ts")).forgetStore(connection)),
    secrets: onFirstUse(async () => (await import("./secrets.ts")).secretStore(connection)),
    words: onFirstUse(async () => (await import("./search/keywords.ts")).wordStore(connection)),
    exports: onFirstUse(async () => (await import("./export.ts")).exportStore(connection)),
    marks: onFirstUse(async () => (await import("./marks.ts")).markStore(connection)),
    status: onFirstUse(async () => (await import("./browse/activity.ts")).statusStore(connection)),
    file: onFirstUse(async () => (await import("./forget/compact.ts")).databaseFile(connection)),
    team: onFirstUse(async () => (await import("./sync/team.ts")).teamStore(connection)),
    folder: onFirstUse(async () => (await import("./sync/folder.ts")).folderStore(connection)),
    recall: onFirstUse(async () => (await import("./marks.ts")).recallStore(connection)),
    formerMembers: async () => connection.column<string>("SELECT author FROM team_former ORDER BY author"),
    async close() {
      connection.db.close();
    },
    [Symbol.asyncDispose]: () => store.close(),
    async closeQuickly() {
      closeUntouched(connection.db, options.file);
    },
  };
  return store;
}

async function openSearch(connection: Connection, options: SqliteOptions): Promise<VectorSearch> {
  const { openVectorSearch } = await import("./vectors/vector-search.ts");
  return openVectorSearch(connection, options);
}

function startWith(connection: Connection, model: { id: string; dimensions: number }): void {
  if (activeModel(connection) !== null) return;
  connection.transaction(() => {
    if (activeModel(connection) === null) activate(connection, addModel(connection, model));
  });
}

// The library can be chosen once per process; later attempts fail without effect.
function useCustomSqlite(candidates: readonly string[]): void {
  const library = candidates.find((candidate) => existsSync(candidate));
  if (library === undefined) return;
  try {
    Database.setCustomSQLite(library);
  } catch {
    return;
  }
}
