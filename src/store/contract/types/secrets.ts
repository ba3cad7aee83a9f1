/** A secret in a memory, without its value. */
export interface FoundSecret {
  /** Null for a secret outside turns' texts. */
  turnId: number | null;
  /** `text`, or the name of the column: `branch`, `title`, `file`, ... */
  place: string;
  /** As in `[redacted:<kind>]`; `private` for a private passage. */
  kind: string;
  /** Length in characters. */
  chars: number;
}

/** The secrets that a step of a scan found. `next` is where the next step starts; null at the end. */
export interface ScanStep {
  found: FoundSecret[];
  next: number | null;
}

/** What a step removed. `next` is where the next step starts; null at the end. */
export interface CleanStep {
  /** Number of turns and other values that were changed. */
  changed: number;
  next: number | null;
}
