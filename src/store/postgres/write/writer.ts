import type { ProjectDatabase } from "../query.ts";

/** What a batch is written with. */
export interface Writer {
  readonly database: ProjectDatabase;
  now(): string;
}
