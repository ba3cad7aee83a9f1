import type { Target } from "../../src/assets/target.ts";

/** What a trial gets from the program that prepared it. */
export interface Plan {
  work: string;
  release: string;
  target: Target;
  clone: string | null;
  repository: string;
  /** The directory with the programs of package managers, and of a registry; null where they could not be had. */
  tools: string | null;
  claude: string | null;
  /** The ways to try; null: all. */
  only: readonly string[] | null;
  /** The page that gets the table. */
  page: string | null;
}
