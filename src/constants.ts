/** Every number that shapes behaviour, with where it came from. */

/** How many chunks are taken from the database at a time for embedding: some ten seconds of work. */
export const EMBED_PAGE = 512;

/** How many vectors one transaction saves: about a second of embedding, so that a kill costs no more than that. */
export const VECTORS_PER_TRANSACTION = 64;

/** Reading transcripts. */
export const READ = {
  /** Bytes asked of the file at a time: a read costs little, and the block stays in the processor's cache. */
  blockBytes: 1 << 16,
  /** Longer lines are skipped without being held; the longest seen in 123,474 real lines is 2.1 MB. */
  maxLineBytes: 32 << 20,
  /** A step ends at the first turn boundary after this many bytes, unless the caller says otherwise. */
  stepBytes: 8 << 20,
  /**
   * Prompts of a file that are remembered from one read to the next, 8 characters each, to see one that is written
   * twice; within one read all are. The most seen in one of 230 real files are 42.
   */
  rememberedPrompts: 4_096,
  /** Whole objects that are tried for on one line before it is given up. */
  maxObjectsPerLine: 16,
} as const;

/**
 * How much of what was read of a transcript is hashed again before and after an append: all of every transcript seen
 * (240 of them, the largest 6.7 MB), and never more than 8 MB (0.6 ms from the page cache).
 */
export const FINGERPRINT = { blockBytes: 1 << 18, blocks: 32 } as const;

/** What a turn takes from the tools. */
export const TOOL_LIMITS = {
  /** Grapheme clusters of a value in a tool summary (design notes). */
  valueGraphemes: 80,
  /** A failed result contributes its first lines: enough for a message and where it came from. */
  errorLines: 5,
  errorChars: 400,
  errorsPerTurn: 10,
  /** A command is searched for paths up to here; here-documents and generated commands go on for megabytes. */
  commandChars: 8_000,
  mentionsPerCommand: 40,
  mentionsPerPrompt: 40,
  /** The longest path that is believed to be one (Linux' PATH_MAX). */
  pathChars: 4_096,
} as const;

/** Around everything that hooks tell Claude, so that it is recognised in a transcript and never indexed. */
export const INJECTED_OPEN = "<mementor-memory>";
export const INJECTED_CLOSE = "</mementor-memory>";

/** How much of a session's first prompt or a subagent's task is kept as its description, grapheme clusters. */
export const DESCRIPTION_GRAPHEMES = 200;

/** Distinct terms of a query that reach the keyword index (design notes: measured with up to 24 words). */
export const MAX_QUERY_TERMS = 24;
export const MAX_QUERY_PHRASES = 16;

/** A word is rare when it is in at most this share of the turns, or in at most so many: only then it is looked up. */
export const RARE_SHARE = 0.2;
export const RARE_TURNS = 200;
/** With fewer rare words than this in a query, its common ones are looked up too. */
export const LEAST_RARE_WORDS = 4;

/** Enrichment of a prompt for its embedding (seed 003). */
export const MAX_ENRICHMENT_FILES = 10;
export const MAX_ENRICHMENT_URLS = 5;

/** How much of what a query names is looked up: more than anybody writes by hand, little enough for any paste. */
export const MAX_FILE_HINTS = 20;
export const MAX_REFERENCES = 10;
export const MAX_LITERALS = 20;

/** The log, as promised to users: three files of 5 MB. */
export const LOG_LIMITS = { maxBytes: 5_000_000, files: 3 } as const;

/** How long a statement waits for another process's write, ms: a hook is bounded (design notes), a person can wait. */
export const BUSY_TIMEOUT_MS = { hook: 200, command: 10_000 } as const;

/**
 * Hooks: what is read of stdin at most, bytes, and how long its end is waited for, ms; how long one may take (design
 * notes: 1.5 s), and when it is given up altogether; how many bytes of noted calls wait for a worker;
 * how many characters of each end of a prompt are searched for (the model reads some 2,000).
 */
export const HOOK_LIMITS = {
  inputBytes: 64 * 1024 * 1024,
  inputMs: 1_000,
  deadlineMs: 1_500,
  graceMs: 1_000,
  notedCallsBytes: 1_000_000,
  promptEnd: 4_000,
} as const;

/** Set in the environment of the background worker: hooks of whatever it starts do nothing. */
export const WORKER_VARIABLE = "MEMENTOR_WORKER";

/**
 * The background worker: its nice value; how long it lives at most, ms (an import of years of history takes less); how
 * often it looks for new notes while it embeds, ms; how long it remembers a transcript that is finished, ms (Claude
 * Code deletes them after 30 days).
 */
export const WORKER = {
  nice: 10,
  maxMs: 2 * 3_600_000,
  pollMs: 500,
  rememberMs: 45 * 86_400_000,
} as const;

/** What is told about a file: turns looked at, sessions named, turns named of each; clusters of a title. */
export const FILE_MEMORY = { turns: 24, sessions: 6, turnsOfSession: 3, titleGraphemes: 90 } as const;

/** Of a told turn: how many files are checked for changes since; a tool's own write may come this much later, ms. */
export const CHANGED_FILES = { looked: 12, toleranceMs: 2_000 } as const;

/** How many of its session's files a subagent is told (seed 001, R6). */
export const SUBAGENT_FILES = 10;

/** What is told after a compaction: turns looked at, files, sentences of a kind; clusters of a sentence and an error. */
export const COMPACT_NOTES = {
  turns: 6,
  files: 8,
  sentences: 3,
  sentenceGraphemes: 220,
  errorGraphemes: 320,
} as const;

/** The digest at the start of a session: how many sessions, one a line; clusters of a title; characters in all. */
export const SESSION_DIGEST = { sessions: 3, titleGraphemes: 120, chars: 1_000 } as const;

/** How much of the next prompt a turn shows as forward context; a long paste belongs to the turn that it starts. */
export const FORWARD_GRAPHEMES = 1_000;

/** The model that the binary carries: a new database gets its vectors (design notes: bge-small-en-v1.5, int8 weights). */
export const BUILT_IN_MODEL = { id: "bge-small-en-v1.5-int8", dimensions: 384 } as const;

/** How long a change of the registry of projects waits for another one, ms; it takes a few. */
export const REGISTRY_LOCK_MS = 5_000;

/** Claude Code's folders of transcripts: names are cut at 200 characters; a transcript's first entries tell its `cwd`. */
export const TRANSCRIPT_FOLDERS = { nameChars: 200, headBytes: 256 * 1024 } as const;

/** Tools that change the file they name; the others only look at it. */
export const CHANGING_TOOLS = ["Edit", "MultiEdit", "NotebookEdit", "Write"] as const;

/**
 * How much each way of searching brings to the fusion. Nearest chunks: 4 times (seeds: over-fetch) what the fifty best
 * turns need; half as many rank worse (`bench:recall`, `bench:foresight`). Keywords: 200 and 100 rank no better.
 */
export const CANDIDATES = {
  nearestChunks: 200,
  keywordChunks: 120,
  keywordTurns: 70,
  fileTurns: 40,
  sharedTurns: 60,
  referenceTurns: 20,
} as const;

/** Limits and stand-ins for cosine distances: of vector candidates, of turns found by path alone (seed 000), by access pattern alone (seed 002). */
export const MAX_COSINE_DISTANCE = 0.45;
export const FILE_MATCH_DISTANCE = 0.4;
export const ACCESS_PATTERN_DISTANCE = 0.38;
/** How many sessions of a similar access pattern are asked for their best turn (seed 002). */
export const ACCESS_PATTERN_TOP_M = 3;

/** Searching: distances drawn to see how a query lies to the memory, and the length of a passage in a terminal. */
export const SEARCH = { distanceSample: 256, passageChars: 600 } as const;

/**
 * What a prompt's hook tells: how many turns, of one session at most, none whose score is less than this share of the best
 * one's (`bench:recall` on 640 prompts: as many right sessions as without, in a third fewer characters),
 * characters of the passages and of the whole answer.
 */
export const RECALL = {
  limit: 5,
  perSession: 2,
  leastShare: 0.5,
  /** Shared by the passages of an answer, between so many and so many for each: one alone may say more. */
  passagesChars: 1_400,
  passageChars: { least: 280, most: 700 },
  budgetChars: 2_000,
} as const;

/** Sessions near another: how the two rankings are merged (reciprocal rank, k = 10 in the design notes), how far each is read. */
export const RELATED = { rankOffset: 10, widening: 3, chunks: 256, mostChunks: 8_192 } as const;

/** How many rows lists show unless asked otherwise: about a screen. */
export const LIST_ROWS = 20;

/**
 * Answers through MCP, in tokens: what a caller gets unless it asks otherwise, and may ask for (Claude Code cuts a
 * tool's result at 25,000); characters of ASCII that make a token, few enough that no budget is overdrawn.
 */
export const MCP_TOKENS = {
  search: 2_000,
  list: 2_000,
  show: 6_000,
  resource: 10_000,
  least: 400,
  most: 20_000,
  asciiChars: 3,
} as const;

/**
 * The MCP server: rows of a list; characters of a message; how long answers under way are waited for when the input
 * ends, ms; how long an unused model stays loaded, ms (it is some 100 MB, and comes back in 0.1 s).
 */
export const MCP_LIMITS = {
  rows: 10,
  mostRows: 100,
  resources: 50,
  messageChars: 4 << 20,
  drainMs: 10_000,
  modelIdleMs: 600_000,
} as const;

/**
 * Forgetting: characters of a text to look for, since shorter ones are in too many turns; how long processes that still
 * read what was removed are waited for, ms (the command ends within 30 s, and the background worker goes on).
 */
export const FORGET = { leastMatchChars: 3, patienceMs: 10_000 } as const;

/** Turns that an export holds at a time. */
export const EXPORT_PAGE = 100;
