/**
 * What a stranger can make the program read, and how much of it: whoever brings a clone, an archive, a pull, a file of a shared folder,
 * an import or a row of a team's server. Lines of transcripts have limits of their own, and so have files of models.
 */
export const UNTRUSTED = {
  /** The largest file that is read where a repository or an archive may have put it. */
  fileBytes: 1_000_000,
  /** A file of git's that holds a name or a path: git itself takes 4,096 bytes at most. A repository may have many of them. */
  gitLineBytes: 4_200,
  /** How deep settings may be nested, and how many entries in them may look like the program's own. */
  settingsDepth: 200,
  settingsEntries: 200,
  /** The largest file of a shared folder, and the largest list of what a device put there. */
  folderBytes: 256 << 20,
  manifestBytes: 32 << 20,
  /** What is read of such lists that nobody with the key wrote, and of how many writers that were never heard of. */
  forgedBytes: 64 << 20,
  strangeWriters: 1_000,
  /** How long one access to a shared folder may take, in ms: a network drive that hangs must not hold a process for good. */
  folderAccessMs: 60_000,
  /** The longest text of a turn, its lists, words and paths, and a vector in base64 (4,096 floats). Those of real transcripts are far below. */
  textChars: 8_000_000,
  listItems: 20_000,
  wordChars: 500,
  pathChars: 4_096,
  vectorChars: 24_000,
  /** What is read of a turn and of a chunk to rank or judge it. The longest turns of agents are about as long. */
  rankedTurnChars: 400_000,
  rankedChunkChars: 20_000,
} as const;
