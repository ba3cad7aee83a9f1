import type { CleanStep, ScanStep } from "./types/secrets.ts";

/** Secrets that an older version let through. The caller of `clean` holds the ingest lock. */
export interface SecretStore {
  /** Looks for secrets with today's rules, a limited number of turns per step. The first step has `after` 0. */
  find(after: number): Promise<ScanStep>;
  /** Removes what such a step finds, in one transaction. Ids of turns stay; a file may hold the bytes until it is rewritten. */
  clean(after: number): Promise<CleanStep>;
  /** Where to continue cleaning with today's rules; null when the whole memory is clean. */
  due(): Promise<number | null>;
  /** Records how many secrets a look found and left; removed once all is clean. */
  noteFound(count: number): Promise<void>;
  lastFound(): Promise<number>;
}
