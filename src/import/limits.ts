/**
 * Limits for imports. The longest turns of real transcripts are far below them. Lines longer than the transcript
 * reader's limit are skipped as well.
 */
export const IMPORT = {
  turnsPerBatch: 32,
  textChars: 8_000_000,
  listItems: 20_000,
  wordChars: 500,
  pathChars: 4_096,
  /** Base64 of 4,096 floats. */
  vectorChars: 24_000,
  /** Invalid lines that the report lists. */
  reportedLines: 20,
} as const;
