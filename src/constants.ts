/** Limits that are promised to users or used in several places, each with its reason. Other limits are in their modules. */

/** Reading transcripts. */
export const READ = {
  /** Bytes per read: large enough to make reads cheap, small enough for the processor's cache. */
  blockBytes: 1 << 16,
  /**
   * Maximum length of a line; longer lines are skipped without keeping them in memory. The longest of 123,474 real lines has 2.1
   * MB.
   */
  maxLineBytes: 32 << 20,
  /** By default, a step ends at the first turn boundary after this many bytes. */
  stepBytes: 8 << 20,
  /**
   * Prompts per file to remember between reads, 8 characters each, for recognising duplicates. Within one read, all are
   * remembered. The maximum in 230 real files is 42.
   */
  rememberedPrompts: 4_096,
  /** Attempts to find an object on a damaged line. */
  maxObjectsPerLine: 16,
} as const;

/** Limits for the stored facts of tool calls. */
export const TOOL_LIMITS = {
  /** Length of a value in a tool summary, in grapheme clusters. */
  valueGraphemes: 80,
  /** Number of first lines of a failed result: enough for a message and its location. */
  errorLines: 5,
  errorChars: 400,
  errorsPerTurn: 10,
  /** Length of a command to search for paths. Here-documents and generated commands can have megabytes. */
  commandChars: 8_000,
  mentionsPerCommand: 40,
  mentionsPerPrompt: 40,
  /** Maximum length of a path (PATH_MAX on Linux). */
  pathChars: 4_096,
} as const;

/** Maximum characters of a turn's text to index: half from its start, half from its end. */
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

/** Time in ms that a statement waits for another process's write. Hooks must be fast; a person can wait. */
export const BUSY_TIMEOUT_MS = { hook: 200, command: 10_000 } as const;

/** Limits of hooks. */
export const HOOK_LIMITS = {
  /** Maximum size of stdin in bytes. */
  inputBytes: 16 * 1024 * 1024,
  /** Time in ms to wait for the end of stdin. */
  inputMs: 1_000,
  /** Time in ms after which a hook stops searching and answers with the results so far. */
  deadlineMs: 1_500,
  /** Time in ms after the deadline at which a running hook ends. */
  graceMs: 1_000,
} as const;

/** Variable in the environment of the background worker. Hooks of processes that it starts do nothing. */
export const WORKER_VARIABLE = "MEMENTOR_WORKER";

/**
 * The user's notes. Each is a session of one turn with the agent `note`, so that all features for turns work for notes:
 * searching, showing, filtering, forgetting, exporting.
 */
export const NOTE = {
  client: "note",
  maxChars: 8_000,
  /** Prefix of the source name of a note. The agent and the session that wrote it follow, if known. */
  source: "notes:",
} as const;

/** The built-in model for new databases: bge-small-en-v1.5 with int8 weights. */
export const BUILT_IN_MODEL = { id: "bge-small-en-v1.5-int8", dimensions: 384 } as const;

/** The multilingual model that a release offers beside the program. */
export const MULTILINGUAL = {
  /** Its name in `mementor model use`. */
  alias: "multilingual",
  archive: "mementor-model-multilingual.tar.gz",
  /** Directory in the archive, and name of the imported model. */
  folder: "multilingual-e5-small-q4",
  /** Id of the model after an import with unchanged settings. */
  id: "multilingual-e5-small-q4-e9f1a2a2",
  dimensions: 384,
} as const;

/** Tools that change the file they are called with. Other tools only read it. */
export const CHANGING_TOOLS = ["Edit", "MultiEdit", "NotebookEdit", "Write"] as const;

/** Vector candidates with a larger cosine distance are dropped. */
export const MAX_COSINE_DISTANCE = 0.45;

/** Ways to search: by meaning and words together, by exact words, by meaning alone. */
export const SEARCH_MODES = ["hybrid", "keyword", "vector"] as const;

/** Levels of the log, the most severe first. */
export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;

/**
 * Sizes of MCP answers in tokens: the defaults by tool, as promised in the page "for-agents", and the range that a caller may
 * request. Claude Code truncates a tool's result at 25,000.
 */
export const MCP_TOKENS = {
  search: 2_000,
  list: 2_000,
  /** At most 4,000 characters. */
  show: 1_333,
  min: 400,
  max: 20_000,
  /** ASCII characters per token, low enough that no answer exceeds its budget. */
  asciiChars: 3,
} as const;

/** Limits of the MCP server. */
export const MCP_LIMITS = {
  rows: 10,
  maxRows: 100,
  /** Maximum turns per call. */
  shownTurns: 100,
  messageChars: 4 << 20,
  /** Time to wait for pending answers when the input ends. */
  drainMs: 10_000,
  /** Time to wait for a client to name its working directories. */
  rootsMs: 2_000,
  /** Time that a question waits for the model before it is answered by keywords. */
  modelMs: 3_000,
  /** Time for which an unused model stays loaded. It takes about 100 MB, and loads again in 0.1 s. */
  modelIdleMs: 600_000,
} as const;

/**
 * Limits for forgetting: the minimum length of a text to search for, since shorter texts match too many turns; the minimum length
 * of a session id's start, since a shorter one may match another session by chance; and the time to wait for processes that still
 * read removed data, in ms, after which the background worker continues.
 */
export const FORGET = { minMatchChars: 3, minSessionChars: 4, patienceMs: 10_000 } as const;

/** Timing of the background sync with a team, in ms. The page "teams" promises the pauses. */
export const TEAM_SYNC = {
  /** The pause after the first failure; it doubles with each. */
  firstPauseMs: 30_000,
  maxPauseMs: 3_600_000,
  /** Time after the last sync at which the next one starts, with or without anything to send. */
  pullEveryMs: 60_000,
  /** Idle time after which a session counts as finished and its last turn is shared, since many sessions are never ended. */
  finishedAfterMs: 1_800_000,
} as const;

/** Maximum chunks for a mean of vectors, the newest ones. More hardly change it. */
export const MEAN_VECTOR_CHUNKS = 2_000;

/** Sessions of which only a list of prompts is left. */
export const LOST = {
  /** Prefix of the source name of such a session. */
  source: "prompts:",
  /** Mark on its turns, which hooks do not show. */
  mark: "prompt_only",
} as const;

/** Version of `keywordText`. Raise it when its result changes: memories are then indexed again in the background. */
export const KEYWORDS_VERSION = 3;
