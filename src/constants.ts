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

/** Characters of a turn's text that are indexed at most: half from its start, half from its end. */
export const INDEXED_CHARS = 1_000_000;

/** The frame around all output for Claude. An ingest recognises it in transcripts and never indexes its content. */
export const FRAME_OPEN = "<mementor-memory>";
export const FRAME_CLOSE = "</mementor-memory>";

/** Length of the description of a session or subagent (its first prompt or task), in grapheme clusters. */
export const DESCRIPTION_GRAPHEMES = 200;

/** Maximum number of distinct terms of a query for the keyword index. */
export const MAX_QUERY_TERMS = 24;

/** The log, as promised to users: three files of 5 MB. */
export const LOG_LIMITS = { maxBytes: 5_000_000, files: 3 } as const;

/** How long a statement waits for the write of another process, in ms. Hooks must be fast; a person can wait. */
export const BUSY_TIMEOUT_MS = { hook: 200, command: 10_000 } as const;

/** Limits of hooks. */
export const HOOK_LIMITS = {
  /** Maximum size of stdin. */
  inputBytes: 16 * 1024 * 1024,
  /** How long to wait for the end of stdin. */
  inputMs: 1_000,
  /** At this time a hook stops searching and answers with what it has found. */
  deadlineMs: 1_500,
  /** After the deadline, a hook that still runs ends after this time, and reads nothing more. */
  graceMs: 1_000,
} as const;

/** Set in the environment of the background worker. Hooks of processes that it starts do nothing. */
export const WORKER_VARIABLE = "MEMENTOR_WORKER";

/**
 * Notes of the user. Each is a session of one turn with the agent `note`, so that everything that works on turns works
 * on notes: searching, showing, filtering, forgetting, exporting.
 */
export const NOTE = {
  client: "note",
  maxChars: 8_000,
  /** Begins the name of the source of a note. The agent and the session that wrote it follow, where they are known. */
  source: "notes:",
} as const;

/** The built-in model, bge-small-en-v1.5 with int8 weights, which new databases use. */
export const BUILT_IN_MODEL = { id: "bge-small-en-v1.5-int8", dimensions: 384 } as const;

/** Tools that change the file they are called with. Other tools only read it. */
export const CHANGING_TOOLS = ["Edit", "MultiEdit", "NotebookEdit", "Write"] as const;

/** Vector candidates with a larger cosine distance are dropped. */
export const MAX_COSINE_DISTANCE = 0.45;

/** Ways to search: by meaning and words together, by exact words, by meaning alone. */
export const SEARCH_MODES = ["hybrid", "keyword", "vector"] as const;

/** Levels of the log, the most severe first. */
export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;

/**
 * Sizes of MCP answers in tokens: the defaults by tool, as promised in the page "for-agents", and the range that a
 * caller may request. Claude Code truncates a tool's result at 25,000.
 */
export const MCP_TOKENS = {
  search: 2_000,
  list: 2_000,
  /** 4,000 characters at most. */
  show: 1_333,
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
  /** Turns that one call shows at most. */
  shownTurns: 100,
  resources: 50,
  messageChars: 4 << 20,
  /** How long to wait for pending answers when the input ends. */
  drainMs: 10_000,
  /** How long to wait for a client to name the directories that it works in. */
  rootsMs: 2_000,
  /** How long a question waits for the model, before it is answered by words. */
  modelMs: 3_000,
  /** How long an unused model stays loaded. It takes about 100 MB, and loads again in 0.1 s. */
  modelIdleMs: 600_000,
} as const;

/**
 * Forgetting: the minimum length of a text to search for, since shorter texts match too many turns, and of the start of a
 * session's id, since a shorter one may meet another session by chance; and how long to wait for processes that still
 * read removed data, in ms. After that, the background worker continues.
 */
export const FORGET = { minMatchChars: 3, minSessionChars: 4, patienceMs: 10_000 } as const;

/** When the background worker syncs with a team, ms. The page "teams" promises the pauses. */
export const TEAM_SYNC = {
  /** The pause after the first failure; it doubles with each. */
  firstPauseMs: 30_000,
  maxPauseMs: 3_600_000,
  /** A sync without anything to send comes this long after the last one. */
  pullEveryMs: 60_000,
  /**
   * After so long without a word, a session counts as finished and its last turn is shared: many sessions are never
   * ended.
   */
  finishedAfterMs: 1_800_000,
} as const;

/** The mean of vectors is that of the newest chunks, at most so many: more hardly change it. */
export const MEAN_VECTOR_CHUNKS = 2_000;

/** Sessions of which only a list of prompts is left. */
export const LOST = {
  /** Begins the name of the source of such a session. */
  source: "prompts:",
  /** The mark of its turns: no hook tells them. */
  mark: "prompt_only",
} as const;

/** Version of `keywordText`. Raise it when its result changes: memories are then indexed again in the background. */
export const KEYWORDS_VERSION = 3;
