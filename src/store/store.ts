import type { BrowseStore, LocalBrowseStore } from "./contract/browse.ts";
import type { ExportStore } from "./contract/export.ts";
import type { ForgetStore } from "./contract/forget.ts";
import type { IngestStore } from "./contract/ingest.ts";
import type { JournalStore } from "./contract/journal.ts";
import type { MarkStore } from "./contract/marks.ts";
import type { ActiveModelStore, ModelStore } from "./contract/models.ts";
import type { LocalSearchStore, SearchStore } from "./contract/search.ts";
import type { SecretStore } from "./contract/secrets.ts";
import type { StatusStore } from "./contract/status.ts";

export type {
  ActiveModelStore,
  BrowseStore,
  ExportStore,
  ForgetStore,
  IngestStore,
  JournalStore,
  LocalBrowseStore,
  LocalSearchStore,
  MarkStore,
  ModelStore,
  SearchStore,
  SecretStore,
  StatusStore,
};

/** What can be read of a memory's file and of a team's database alike. Methods reject with `MementorError`. */
export interface ReadStore {
  readonly browse: BrowseStore;
  readonly search: SearchStore;
  readonly exports: ExportStore;
  readonly models: ActiveModelStore;
  /** What a memory's file holds beyond that; null for a team's database. */
  readonly local: LocalStore | null;
  close(): Promise<void>;
}

/** What stays on the machine of a memory, and is never with a team. */
export interface LocalStore {
  readonly browse: LocalBrowseStore;
  readonly search: LocalSearchStore;
  readonly marks: MarkStore;
  readonly ingest: IngestStore;
}
