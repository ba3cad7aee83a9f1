import type { BrowseStore } from "./contract/browse.ts";
import type { ExportStore } from "./contract/export.ts";
import type { ForgetStore } from "./contract/forget.ts";
import type { IngestStore } from "./contract/ingest.ts";
import type { JournalStore } from "./contract/journal.ts";
import type { MarkStore } from "./contract/marks.ts";
import type { ModelStore } from "./contract/models.ts";
import type { SearchStore } from "./contract/search.ts";
import type { SecretStore } from "./contract/secrets.ts";
import type { StatusStore } from "./contract/status.ts";

export type {
  BrowseStore,
  ExportStore,
  ForgetStore,
  IngestStore,
  JournalStore,
  MarkStore,
  ModelStore,
  SearchStore,
  SecretStore,
  StatusStore,
};

/** A memory's database. One process may hold several; methods reject with `MementorError`. */
export interface Store {
  readonly ingest: IngestStore;
  readonly search: SearchStore;
  readonly journal: JournalStore;
  readonly marks: MarkStore;
  readonly models: ModelStore;
  readonly forget: ForgetStore;
  readonly secrets: SecretStore;
  readonly exports: ExportStore;
  readonly browse: BrowseStore;
  readonly status: StatusStore;
  close(): Promise<void>;
}
