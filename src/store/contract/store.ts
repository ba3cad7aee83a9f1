import type { BrowseStore, LocalBrowseStore } from "./browse.ts";
import type { ExportStore } from "./export.ts";
import type { ForgetStore } from "./forget.ts";
import type { IngestStore } from "./ingest.ts";
import type { JournalStore } from "./journal.ts";
import type { MarkStore } from "./marks.ts";
import type { ActiveModelStore, ModelStore } from "./models.ts";
import type { RecallStore } from "./recall.ts";
import type { LocalSearchStore, SearchStore } from "./search.ts";
import type { SecretStore } from "./secrets.ts";
import type { StatusStore } from "./status.ts";

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
  readonly recall: RecallStore;
  readonly ingest: IngestStore;
}
