import type { MementorError } from "../../errors.ts";
import type { Filter } from "../../filter/filter.ts";
import type { LocalSearchStore } from "../../store/contract/store.ts";

/** One of several memories to search. */
export interface SearchedMemory<Project> {
  project: Project;
  /** Opens the memory for reading. Rejects when it cannot be read. */
  open(): Promise<OpenedMemory>;
}

export interface OpenedMemory {
  store: LocalSearchStore;
  /** The filters as they read in this memory. */
  filter: Filter;
  close(): Promise<void>;
}

/** What was not searched as the others were. */
export interface Coverage<Project> {
  searched: Project[];
  /** Searched by words alone, because their vectors are of another model than the query's. */
  byWords: Project[];
  failed: { project: Project; error: MementorError }[];
  /** Not searched, because the time was over. */
  missed: Project[];
}
