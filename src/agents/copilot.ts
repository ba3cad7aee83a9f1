import { basename, dirname, join } from "node:path";
import type {
  ConversationEvent,
  Message,
  RecordContext,
  ToolCall,
  ToolResult,
} from "../ingest/transcript/events.ts";
import type { LineAdapter, LineResult } from "../ingest/transcript/json-lines.ts";
import type { LineReader } from "../ingest/transcript/lines.ts";
import { headRecords } from "../ingest/transcript/lines.ts";
import type { RecordShape } from "../ingest/transcript/objects.ts";
import type { RecordSource, Skipped } from "../ingest/transcript/recorder.ts";
import type { ReaderState } from "../ingest/transcript/state.ts";
import { fileCall, skillCall } from "../ingest/transcript/tools/call.ts";
import type { EntryText } from "../ingest/transcript/transcript.ts";
import { asList, asNumber, asObject, asString, type JsonObject, parseObject } from "../io/json.ts";
import { toUtc } from "../text/when.ts";
import type { Agent, Environment } from "./agent.ts";
import {
  type About,
  compaction,
  conversation,
  lineReader,
  resultOf,
  titled,
  typedPrompt,
} from "./conversation.ts";
import { absolutePath, fileStamp, filesBelow, listEntries } from "./files.ts";
import type { HookPayload } from "./hook-payload.ts";
import * as tool from "./tool-table.ts";

const EVENTS = "events.jsonl";
const SESSION = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function copilotDirectory({ env, homeDir }: Environment): string {
  return absolutePath(env.COPILOT_HOME) ?? join(homeDir, ".copilot");
}

function owns(path: string): boolean {
  return basename(path) === EVENTS && SESSION.test(basename(dirname(path)));
}

/** GitHub Copilot CLI: one file of JSON lines per session, `session-state/<session>/events.jsonl`. */
export const copilot: Agent = {
  id: "copilot",
  resumeCommand: (sessionId) => ["copilot", "--resume", sessionId],
  home: copilotDirectory,
  hooks: {
    events: "userPromptSubmitted sessionStart agentStop sessionEnd subagentStart subagentStop".split(" "),
    variable: "COPILOT_PROJECT_DIR",
    resembles: (payload) => payload.session_id === null && "sessionId" in payload,
    normalize: normalizePayload,
    answer: (_, text) => JSON.stringify({ additionalContext: text }),
  },
  roots: (environment) => [join(copilotDirectory(environment), "session-state")],
  owns,
  growth: () => "appended",
  stampOf: fileStamp,
  projectSessions({ environment, belongs, isWanted }) {
    const found: string[] = [];
    for (const root of copilot.roots(environment))
      for (const { name } of listEntries(root)) {
        const file = join(root, name, EVENTS);
        if (!owns(file) || fileStamp(file) === null || !isWanted(file)) continue;
        const cwd = cwdOf(file);
        if (cwd !== null && belongs(cwd)) found.push(file);
      }
    return found;
  },
  discover: (path) => filesBelow(path, owns),
  sourceOf: (path) => ({ sessionId: basename(dirname(path)), isNamed: owns(path), agentId: null }),
  reader: () => lineReader((path, state) => new EventLines(path, state)),
};

/** The fields of a hook's payload with other names here. */
const HOOK_FIELDS = {
  session_id: "sessionId",
  transcript_path: "transcriptPath",
  agent_transcript_path: "agentTranscriptPath",
  agent_id: "agentId",
  agent_type: "agentType",
  tool_name: "toolName",
} as const;

function normalizePayload(payload: HookPayload, environment: Environment): Partial<HookPayload> {
  const fields: Partial<HookPayload> = Object.fromEntries(
    Object.entries(HOOK_FIELDS).map(([ours, theirs]) => [ours, asString(payload[theirs]) ?? payload[ours]]),
  );
  const tool_input = { file_path: null, notebook_path: null, ...asObject(payload.toolArgs) };
  const { transcript_path: given, session_id: session } = fields;
  // Most events name only the session.
  const named = session ? join(copilotDirectory(environment), "session-state", session, EVENTS) : null;
  return { ...fields, tool_input, transcript_path: given ?? named };
}

/** Returns the directory of a session from its first record. */
function cwdOf(file: string): string | null {
  for (const { data } of headRecords(file)) {
    const cwd = asString(asObject(asObject(data)?.context)?.cwd);
    if (cwd !== null) return cwd;
  }
  return null;
}

const SHAPE: RecordShape = {
  start: /\{\s*"type"\s*:/,
  isRecord: ({ type, data, id }) =>
    asString(type) !== null && asObject(data) !== null && asString(id) !== null,
};

/** Kinds that are always skipped. The type is the first key. */
const NOISE =
  /^\{"type":"(system\.message|hook\.\w+|session\.usage_record|assistant\.turn_\w+|tool\.execution_start)"/;
const HEAD_CHARS = 60;

/** The directory and branch of the session. */
type Where = Pick<RecordContext, "cwd" | "branch" | "version">;

/** Interprets the lines of a session of Copilot CLI. */
class EventLines implements LineAdapter {
  readonly shape = SHAPE;
  readonly source: RecordSource;
  #where: Where;
  /** Calls of the open turns that return words of the conversation. */
  readonly #asked = new Map<string, Asked>();
  /** Calls that name the file that they change themselves. */
  readonly #touching = new Set<string>();

  constructor(path: string, state: ReaderState) {
    this.source = { sessionId: basename(dirname(path)), subagent: null };
    const known = (state.agentState === null ? null : parseObject(state.agentState)) ?? {};
    this.#where = {
      cwd: asString(known.cwd),
      branch: asString(known.branch),
      version: asString(known.version),
    };
  }

  get state(): string {
    return JSON.stringify(this.#where);
  }

  passOver(lines: LineReader): Skipped {
    if (lines.hasGlue()) return null;
    const { bytes, start, end } = lines;
    return NOISE.exec(bytes.toString("latin1", start, Math.min(end, start + HEAD_CHARS)))?.[1] ?? null;
  }

  read(record: JsonObject): LineResult {
    const type = asString(record.type);
    const data = asObject(record.data);
    if (type === null || data === null) return "no_type";
    switch (type) {
      case "session.start":
      case "session.resume":
      case "session.context_changed":
        this.#move(data);
        return type;
      case "user.message":
        return [this.#say(record, promptOf(record, data))];
      case "assistant.message":
        return [this.#say(record, this.#workOf(data))];
      case "tool.user_requested":
        return [this.#say(record, work([callOf(data.toolCallId, data.toolName, data.arguments)]))];
      case "tool.execution_complete":
        return this.#completed(record, data);
      case "session.compaction_complete":
        return this.#compacted(record, data);
      case "session.title_changed":
        return titled(this.source.sessionId, asString(data.title));
      default:
        return type;
    }
  }

  #move(data: JsonObject): void {
    const context = asObject(data.context) ?? data;
    this.#where = {
      cwd: asString(context.cwd) ?? this.#where.cwd,
      branch: asString(context.branch) ?? this.#where.branch,
      version: asString(data.copilotVersion) ?? this.#where.version,
    };
  }

  #workOf(data: JsonObject): Message {
    const texts: EntryText[] = [];
    const thought = asString(data.reasoningText);
    if (thought !== null) texts.push({ text: thought, isThinking: true });
    const text = asString(data.content);
    if (text !== null) texts.push({ text, isThinking: false });
    const calls = asList(data.toolRequests).map((given) => {
      const request = asObject(given);
      const call = callOf(request?.toolCallId, request?.name, request?.arguments);
      const question = asString(asObject(request?.arguments)?.question);
      if (call?.returnsWords && call.id !== null) this.#asked.set(call.id, { question });
      if (call && call.paths.length > 0 && call.id !== null) this.#touching.add(call.id);
      return call;
    });
    return work(calls, texts);
  }

  #completed(record: JsonObject, data: JsonObject): LineResult {
    const asked = this.#asked.get(asString(data.toolCallId) ?? "") ?? null;
    const results = this.#say(record, { kind: "results", results: [readResult(data, asked)], said: null });
    const calls = this.#touching.has(asString(data.toolCallId) ?? "") ? [] : editsOf(data);
    return calls.length === 0 ? [results] : [results, this.#say(record, work(calls), ":edits")];
  }

  #compacted(record: JsonObject, data: JsonObject): LineResult {
    if (data.success === false) return "session.compaction_complete";
    return compaction(asString(data.summaryContent), this.#about(record), asNumber(data.preCompactionTokens));
  }

  #say(record: JsonObject, message: Message, suffix = ""): ConversationEvent {
    return conversation(message, this.#about(record, suffix));
  }

  #about(record: JsonObject, suffix = ""): About {
    const timestamp = asString(record.timestamp);
    const id = asString(record.id);
    return {
      uuid: id === null ? null : id + suffix,
      sessionId: this.source.sessionId,
      agentId: asString(record.agentId),
      timestamp: timestamp === null ? null : toUtc(timestamp),
      ...this.#where,
      model: asString(asObject(record.data)?.model),
    };
  }
}

function work(given: readonly (ToolCall | null)[], texts: readonly EntryText[] = []): Message {
  return { kind: "work", texts, calls: given.filter((call) => call !== null) };
}

/**
 * Returns the prompt as typed, in `content`. `transformedContent` is the model's version, with reminders and mementor's output.
 */
function promptOf(record: JsonObject, data: JsonObject): Message {
  const source = asString(data.source);
  const isForSubagent = asString(record.agentId) !== null;
  // A skill or the client wrote this in the user's name.
  if (source !== null && source !== "user" && !isForSubagent)
    return { kind: "skipped", reason: source.replace(/-.*/s, "") };
  return typedPrompt(asString(data.content) ?? "");
}

function callOf(id: unknown, name: unknown, args: unknown): ToolCall | null {
  const known = asString(name);
  return known === null ? null : tool.toolCall(TOOLS, asString(id), known, asObject(args));
}

export const TOOLS = tool.toolTable({
  bash: ["Bash", tool.shellReader],
  powershell: ["Bash", tool.powershellReader],
  view: ["Read", tool.fileReader("path")],
  edit: ["Edit", tool.fileReader("path")],
  create: ["Write", tool.fileReader("path")],
  // The result contains the changes.
  apply_patch: tool.hiddenReader,
  grep: ["Grep", tool.searchReader],
  rg: ["Grep", tool.searchReader],
  glob: ["Glob", tool.searchReader],
  task: ["Task", tool.subagentReader],
  skill: ["Skill", (text) => skillCall(text("skill"), null)],
  web_fetch: ["WebFetch", tool.webFetch],
  web_search: ["WebSearch", tool.webSearch],
  ask_user: tool.dialogueReader,
  report_intent: tool.hiddenReader,
  update_todo: tool.hiddenReader,
  read_bash: tool.hiddenReader,
  write_bash: tool.hiddenReader,
  stop_bash: tool.hiddenReader,
  list_bash: tool.hiddenReader,
  read_agent: tool.hiddenReader,
  list_agents: tool.hiddenReader,
});

/** A call that returns words of the conversation: a question to the person, or a task of a subagent. It has no summary. */
interface Asked {
  question: string | null;
}

function answerIn(output: string): string {
  return output.replace(/^User (?:responded|selected|answered): /, "").trim();
}

/** Text that the client adds after the output of a shell. */
const SHELL_END = /\n?<(?:shellId: \S+ )?(?:completed|exited) with exit code -?\d+>\s*$/;

/** Reads the result of a call. A tool succeeds even if its command fails. */
function readResult(data: JsonObject, asked: Asked | null): ToolResult {
  const code = asNumber(asObject(data.shellExecution)?.exitCode);
  const result = asObject(data.result);
  const error = asString(asObject(data.error)?.message) ?? asString(data.error);
  const output = error ?? asString(result?.content) ?? "";
  const isError = data.success === false || (code !== null && code !== 0);
  return {
    ...resultOf(asString(data.toolCallId), isError, output.replace(SHELL_END, "")),
    answers: asked?.question ? [{ question: asked.question, answer: answerIn(output), notes: null }] : [],
    report: asked !== null && asked.question === null ? asString(output) : null,
  };
}

/** Returns the files that a call of any tool changed. */
function editsOf(data: JsonObject): ToolCall[] {
  return asList(data.fileEdits).flatMap((given) => {
    const edit = asObject(given);
    const path = asString(edit?.path);
    return path === null
      ? []
      : { id: null, name: edit?.kind === "create" ? "Write" : "Edit", ...fileCall(path) };
  });
}
