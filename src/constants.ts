/** Limits that are promised to users or used in several places, each with its reason. Others belong to their module. */

/** Reading transcripts. */
export const READ = {
  /** Bytes per read: large enough to make reads cheap, small enough for the processor's cache. */
  blockBytes: 1 << 16,
  /** Longer lines are skipped without holding them in memory. The longest of 123,474 real lines has 2.1 MB. */
  maxLineBytes: 32 << 20,
  /** By default, a step ends at the first turn boundary after this many bytes. */
  stepBytes: 8 << 20,
  /**
   * Prompts per file that are remembered between reads, 8 characters each, to recognise duplicates. Within one read all
   * are remembered. The maximum in 230 real files is 42.
   */
  rememberedPrompts: 4_096,
  /** Attempts to find an object on a damaged line. */
  maxObjectsPerLine: 16,
} as const;

/** What a turn stores of its tool calls. */
export const TOOL_LIMITS = {
  /** Grapheme clusters of a value in a tool summary. */
  valueGraphemes: 80,
  /** First lines of a failed result: enough for a message and its location. */
  errorLines: 5,
  errorChars: 400,
  errorsPerTurn: 10,
  /** Only the start of a command is searched for paths: here-documents and generated commands can have megabytes. */
  commandChars: 8_000,
  mentionsPerCommand: 40,
  mentionsPerPrompt: 40,
  /** Maximum length of a path (PATH_MAX on Linux). */
  pathChars: 4_096,
} as const;

/** The frame around all output for Claude. An ingest recognises it in transcripts and never indexes its content. */
export const INJECTED_OPEN = "<mementor-memory>";
export const INJECTED_CLOSE = "</mementor-memory>";

/** Length of the description of a session or subagent (its first prompt or task), in grapheme clusters. */
export const DESCRIPTION_GRAPHEMES = 200;

/** Maximum number of distinct terms and phrases of a query for the keyword index. */
export const MAX_QUERY_TERMS = 24;
export const MAX_QUERY_PHRASES = 16;

/** A word is rare if at most this share, or at most this number, of the turns contain it. Only rare words are searched. */
export const RARE_SHARE = 0.2;
export const RARE_TURNS = 200;
/** Queries with fewer rare words also search for their common words. */
export const MIN_RARE_WORDS = 4;

/** Recently touched files and URLs that are added to a prompt before it is embedded. */
export const MAX_ENRICHMENT_FILES = 10;
export const MAX_ENRICHMENT_URLS = 5;

/** Files, commits, numbers and names in a query that are searched for: more than a person types, even in a long paste. */
export const MAX_FILE_HINTS = 20;
export const MAX_REFERENCES = 10;
export const MAX_LITERALS = 20;

/** The log, as promised to users: three files of 5 MB. */
export const LOG_LIMITS = { maxBytes: 5_000_000, files: 3 } as const;

/** How long a statement waits for the write of another process, in ms. Hooks must be fast; a person can wait. */
export const BUSY_TIMEOUT_MS = { hook: 200, command: 10_000 } as const;

/**
 * Limits of hooks.
 */
export const HOOK_LIMITS = {
  /** Maximum size of stdin. */
  inputBytes: 64 * 1024 * 1024,
  /** How long to wait for the end of stdin. */
  inputMs: 1_000,
  /** At this time a hook stops searching and answers with what it has found. */
  deadlineMs: 1_500,
  /** After the deadline, a hook that still runs ends after this time, and reads nothing more. */
  graceMs: 1_000,
  /** Maximum size of the recorded calls that wait for a worker. */
  notedCallsBytes: 1_000_000,
  /** Characters at each end of a prompt that are searched for. The model reads about 2,000. */
  promptEnd: 4_000,
} as const;

/** Set in the environment of the background worker. Hooks of processes that it starts do nothing. */
export const WORKER_VARIABLE = "MEMENTOR_WORKER";

/** Limits of the background worker. */
export const WORKER = {
  nice: 10,
  /** Maximum lifetime: longer than reading years of history takes. */
  maxMs: 2 * 3_600_000,
  /** How often it checks for new notes while it embeds. */
  pollMs: 500,
  /** How long it remembers a finished transcript. Claude Code deletes transcripts after 30 days. */
  rememberMs: 45 * 86_400_000,
} as const;

/** Recall for a file: turns to read, sessions to show, turns to show per session, grapheme clusters of a title. */
export const FILE_MEMORY = { turns: 24, sessions: 6, turnsOfSession: 3, titleGraphemes: 90 } as const;

/** Files of a recalled turn to check for later changes, and how late the turn's own tool may still write them, in ms. */
export const CHANGED_FILES = { looked: 12, toleranceMs: 2_000 } as const;

/** Number of its session's files that a new subagent is given. */
export const SUBAGENT_FILES = 10;

/** Notes after a compaction: turns to read, files and sentences to show, grapheme clusters of a sentence and an error. */
export const COMPACT_NOTES = {
  turns: 6,
  files: 8,
  sentences: 3,
  sentenceGraphemes: 220,
  errorGraphemes: 320,
} as const;

/** Digest at the start of a session: sessions (one per line), grapheme clusters of a title, characters in total. */
export const SESSION_DIGEST = { sessions: 3, titleGraphemes: 120, chars: 1_000 } as const;

/** Maximum length of forward context. The rest of a long prompt is only in the turn that it starts. */
export const FORWARD_GRAPHEMES = 1_000;

/** The built-in model, bge-small-en-v1.5 with int8 weights, which new databases use. */
export const BUILT_IN_MODEL = { id: "bge-small-en-v1.5-int8", dimensions: 384 } as const;

/** How long a change of the project registry waits for another change, in ms. A change takes a few ms. */
export const REGISTRY_LOCK_MS = 5_000;

/** Tools that change the file they are called with. Other tools only read it. */
export const CHANGING_TOOLS = ["Edit", "MultiEdit", "NotebookEdit", "Write"] as const;

/**
 * Number of candidates from each kind of search. Nearest chunks: four times what the fifty best turns need; half as many
 * rank worse (`bench:recall`, `bench:foresight`). Keywords: 200 and 100 rank no better.
 */
export const CANDIDATES = {
  nearestChunks: 200,
  keywordChunks: 120,
  keywordTurns: 70,
  fileTurns: 40,
  sharedTurns: 60,
  referenceTurns: 20,
} as const;

/** Vector candidates with a larger cosine distance are dropped. */
export const MAX_COSINE_DISTANCE = 0.45;

/** Ways to search: by meaning and words together, by exact words, by meaning alone. */
export const SEARCH_MODES = ["hybrid", "keyword", "vector"] as const;

/** Levels of the log, the most severe first. */
export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;
/** Assumed cosine distance of turns that were found only by path, and only by access pattern. */
export const FILE_MATCH_DISTANCE = 0.4;
export const ACCESS_PATTERN_DISTANCE = 0.38;
/** Number of sessions with the most similar access patterns that contribute their best turn. */
export const ACCESS_PATTERN_TOP_M = 3;

/** Size of the sample for a query's distribution of distances, and characters of a passage in a terminal. */
export const SEARCH = { distanceSample: 256, passageChars: 600 } as const;

/**
 * Recall for a prompt.
 */
export const RECALL = {
  /** Maximum number of turns from one session. */
  perSession: 2,
  /**
   * Minimum score of a turn as a share of the best turn's. On 640 prompts, `bench:recall` found as many right sessions
   * as without this limit, in a third fewer characters.
   */
  minShare: 0.5,
  /** Characters for all passages, and the range for each. A single passage may be longer than one of many. */
  passagesChars: 1_400,
  passageChars: { min: 280, max: 700 },
} as const;

/** Related sessions: k of the reciprocal rank fusion of the two rankings, and how far each ranking is read. */
export const RELATED = { rankOffset: 10, widening: 3, chunks: 256, maxChunks: 8_192 } as const;

/** Default number of rows of a list: about a screen. */
export const LIST_ROWS = 20;

/**
 * Sizes of MCP answers in tokens: the defaults by tool, as promised in the README, and the range that a caller may
 * request. Claude Code truncates a tool's result at 25,000.
 */
export const MCP_TOKENS = {
  search: 2_000,
  list: 2_000,
  show: 6_000,
  resource: 10_000,
  min: 400,
  max: 20_000,
  /** ASCII characters per token; low enough that no answer exceeds its budget. */
  asciiChars: 3,
} as const;

/** Limits of the MCP server. */
export const MCP_LIMITS = {
  rows: 10,
  maxRows: 100,
  resources: 50,
  messageChars: 4 << 20,
  /** How long to wait for pending answers when the input ends. */
  drainMs: 10_000,
  /** How long an unused model stays loaded. It takes about 100 MB, and loads again in 0.1 s. */
  modelIdleMs: 600_000,
} as const;

/**
 * Forgetting: the minimum length of a text to search for, since shorter texts match too many turns; and how long to wait
 * for processes that still read removed data, in ms. After that, the background worker continues.
 */
export const FORGET = { minMatchChars: 3, patienceMs: 10_000 } as const;

/** Turns that an export holds in memory at a time. */
export const EXPORT_PAGE = 100;
