/** A secret that a memory holds; never its value. */
export interface FoundSecret {
  /** Null for one that stands outside turns' texts. */
  turnId: number | null;
  /** `text`, or what the column is: `branch`, `title`, `file`, ... */
  place: string;
  /** As in `[redacted:<kind>]`; `private` for a private passage. */
  kind: string;
  /** How many characters it has. */
  chars: number;
}

/** What a step of a look through a memory found; `next` is where the next step starts, null at the end. */
export interface ScanStep {
  found: FoundSecret[];
  next: number | null;
}

/** What a step took out; `next` as above. */
export interface CleanStep {
  /** Turns and other values that were changed. */
  changed: number;
  next: number | null;
}
