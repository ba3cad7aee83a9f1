/**
 * Limits for data that a stranger can provide: in a clone, an archive, a pull, a file of a shared folder, an import or a row of a
 * team's server. Lines of transcripts and files of models have their own limits.
 */
export const UNTRUSTED = {
  /** The largest file to read from a repository or an archive. */
  fileBytes: 1_000_000,
  /** Bytes of a git file with a name or a path. Git itself reads at most 4,096, and a repository may have many of them. */
  gitLineBytes: 4_200,
  /** The longest path in which to look for a project. Walking it up takes time proportional to the square of its length. */
  projectPathChars: 32_768,
  /** Worktrees and first commits to examine in a repository, and how long git may run, in ms. */
  worktrees: 1_000,
  rootCommits: 20,
  gitMs: 3_000,
  /** Files with instructions for agents, bytes of one and of all, and remembered files of other worktrees. */
  instructions: { files: 40, bytes: 128_000, allBytes: 400_000, others: 80 },
  /** Characters and lines of a prompt to examine for pasted text. Nobody types more. */
  typedChars: 60_000,
  typedLines: 2_000,
  /** The largest settings file in a project's tree. Each hook reads it. */
  treeSettingsBytes: 64_000,
  /** Depth of nested settings, and number of entries that look like the program's own. */
  settingsDepth: 200,
  settingsEntries: 200,
  /** The largest file of a shared folder, and the largest list of a device's files. */
  folderBytes: 256 << 20,
  manifestBytes: 32 << 20,
  /** Bytes to read of lists by writers without the key, and number of such unknown writers. */
  forgedBytes: 64 << 20,
  strangeWriters: 1_000,
  /** Timeout of one access to a shared folder, in ms. A hanging network drive must not block a process for good. */
  folderAccessMs: 60_000,
  /**
   * The longest text of a turn, its lists, words and paths, and a base64 vector (4,096 floats). Real transcripts are far below.
   */
  textChars: 8_000_000,
  listItems: 20_000,
  wordChars: 500,
  pathChars: 4_096,
  vectorChars: 24_000,
  /** The longest message of a server's login, and the most work that it may demand. */
  loginBytes: 30_000,
  loginRounds: 1_000_000,
  /** Characters of a turn and of a chunk to read for ranking. The longest turns of agents are about this long. */
  rankedTurnChars: 400_000,
  rankedChunkChars: 20_000,
} as const;
