/** What an import works on at once and reports. How large what it reads may be stands in `io/untrusted.ts`. */
export const IMPORT = {
  turnsPerBatch: 32,
  /** Invalid lines that the report lists. */
  reportedLines: 20,
} as const;
