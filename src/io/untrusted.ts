/**
 * What a stranger can make the program read, and how much of it: whoever brings a clone, an archive, a pull, a file of a shared folder,
 * an import or a row of a team's server. Lines of transcripts have limits of their own, and so have files of models.
 */
export const UNTRUSTED = {
  /** The largest file that is read where a repository or an archive may have put it. */
  fileBytes: 1_000_000,
  /** A file of git's that holds a name or a path: git itself takes 4,096 bytes at most. A repository may have many of them. */
  gitLineBytes: 4_200,
  /** The longest path by which a project is looked for: to walk up one takes time that grows with the square of its length. */
  projectPathChars: 32_768,
  /** Worktrees and first commits of a repository that are looked at, and how long git may look, in ms. */
  worktrees: 1_000,
  rootCommits: 20,
  gitMs: 3_000,
  /** Files with instructions for agents, bytes of one and of all, and files of other worktrees that are remembered. */
  instructions: { files: 40, bytes: 128_000, allBytes: 400_000, others: 80 },
  /** What is looked at of a prompt to find what was pasted: nobody types more. */
  typedChars: 60_000,
  typedLines: 2_000,
  /** The largest file of settings in a project's tree: each hook reads it. */
  treeSettingsBytes: 64_000,
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
  /** The longest message of a server's login, and the most work that it may ask for. */
  loginBytes: 30_000,
  loginRounds: 1_000_000,
  /** What is read of a turn and of a chunk to rank or judge it. The longest turns of agents are about as long. */
  rankedTurnChars: 400_000,
  rankedChunkChars: 20_000,
} as const;
