import { basename, dirname, join } from "node:path";
import type {
  Answer,
  ConversationEvent,
  Said,
  TitleEvent,
  ToolCall,
  ToolResult,
} from "../../ingest/transcript/events.ts";
import type { LineAdapter, LineResult } from "../../ingest/transcript/json-lines.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import type { Recorder, RecordSource } from "../../ingest/transcript/recorder.ts";
import type { ReaderState } from "../../ingest/transcript/state.ts";
import type { Place } from "../../ingest/transcript/thread.ts";
import type { EntryText } from "../../ingest/transcript/transcript.ts";
import { branchReader } from "../../io/git/project.ts";
import { asNumber, asObject, asObjects, asString, type JsonObject, parseObject } from "../../io/json.ts";
import {
  type About,
  agentSource,
  compaction,
  conversation,
  resultOf,
  timeOf,
  titled,
  typedPrompt,
} from "../conversation.ts";
import { readDatabase, requireIndex } from "../foreign-database.ts";
import { toolCall } from "../tool-table.ts";
import {
  argumentsOf,
  callDirectory,
  conversationFolder,
  isShort,
  sourceFile,
  TOOLS,
  userQuestions,
  workspaceOf,
} from "./workspace.ts";

const SHAPE: RecordShape = {
  start: /\{\s*"(?:step_index|source)"\s*:/,
  isRecord: ({ source, created_at }) => asString(source) !== null && asString(created_at) !== null,
};

/** Steps of the model that are not results. */
const NOTICES: ReadonlySet<unknown> = new Set(["ERROR_MESSAGE", "EPHEMERAL_MESSAGE"]);

/** A call without a result so far. */
interface Pending {
  id: string;
  questions: readonly string[];
}

/** Interprets the lines of a conversation of Antigravity CLI. */
export class StepAdapter implements LineAdapter {
  readonly shape = SHAPE;
  readonly source: RecordSource;
  readonly #path: string;
  readonly #id: string;
  readonly #about: About;
  readonly #workspace: string | null;
  /** Directory of the last call, for a conversation without another known directory. */
  #cwd: string | null;
  #model: string | null;
  /** Calls without a result. A result names no call, so it belongs to the earliest one. */
  #pending: Pending[] = [];
  #hasTitle = false;
  readonly #branchAt: (time: string | null) => string | null;

  constructor(path: string, state: ReaderState) {
    const { sessionId, agentId } = sourceFile(path);
    const known = parseObject(state.agentState ?? "") ?? {};
    this.#path = path;
    this.#id = basename(conversationFolder(path));
    this.#about = { sessionId, agentId };
    this.#workspace = workspaceOf(path);
    this.#cwd = asString(known.cwd);
    this.#model = asString(known.model);
    this.#branchAt = branchReader(this.#workspace);
    this.source = agentSource({ sessionId, agentId });
  }

  get state(): string {
    return JSON.stringify({ cwd: this.#cwd, model: this.#model });
  }

  read(step: JsonObject, place: Place, recorder: Recorder): LineResult {
    if (!this.#hasTitle) for (const event of this.#title()) recorder.record(event, place);
    const type = asString(step.type);
    if (step.source === "USER_EXPLICIT") return [this.#prompt(step, place)];
    if (step.source !== "MODEL" || NOTICES.has(type)) return this.#other(type, step, place);
    // Older versions name no type.
    return type === null || type === "PLANNER_RESPONSE"
      ? [this.#work(step, place)]
      : [this.#result(step, place)];
  }

  /** Returns the title. It comes from a database, later than the steps, so each read looks it up again. */
  #title(): TitleEvent[] {
    this.#hasTitle = true;
    const { sessionId = null, agentId = null } = this.#about;
    const title = agentId === null ? titleOf(conversationFolder(this.#path), this.#id) : null;
    return title === null ? [] : titled(sessionId, title);
  }

  #prompt(step: JsonObject, place: Place): ConversationEvent {
    this.#pending = [];
    this.#model = modelIn(step) ?? this.#model;
    return conversation(saidIn(step), this.#of(step, place));
  }

  #other(type: string | null, step: JsonObject, place: Place): LineResult {
    if (type === "CHECKPOINT") return compaction(null, this.#of(step, place));
    return (type ?? asString(step.source) ?? "no_type").toLowerCase();
  }

  #work(step: JsonObject, place: Place): ConversationEvent {
    const about = this.#of(step, place);
    const calls = asObjects(step.tool_calls).flatMap((given, index): ToolCall[] => {
      const name = asString(given.name);
      if (name === null) return [];
      const args = argumentsOf(given, isShort(this.#path));
      const id = `${about.uuid}#${index}`;
      this.#pending.push({ id, questions: name === "ask_question" ? userQuestions(args) : [] });
      this.#cwd = callDirectory(args) ?? this.#cwd;
      return [toolCall(TOOLS, id, name, args)];
    });
    const texts = [...textOf(step.thinking, true), ...textOf(step.content, false)];
    return conversation({ kind: "work", texts, calls }, this.#of(step, place));
  }

  #result(step: JsonObject, place: Place): ConversationEvent {
    const call = this.#pending.shift();
    const result = resultIn(step, call?.id ?? null, call?.questions ?? []);
    return conversation({ kind: "results", results: [result], said: null }, this.#of(step, place));
  }

  #of(step: JsonObject, place: Place): About {
    const timestamp = timeOf(step.created_at);
    return {
      ...this.#about,
      uuid: `${this.#id}:${asNumber(step.step_index) ?? `line-${place.line}`}`,
      timestamp,
      cwd: this.#workspace ?? this.#cwd,
      branch: this.#branchAt(timestamp),
      model: this.#model,
    };
  }
}

function textOf(value: unknown, isThinking: boolean): EntryText[] {
  const text = asString(value);
  return text === null ? [] : [{ text, isThinking }];
}

const REQUEST = /<USER_REQUEST>([\s\S]*?)(?:<\/USER_REQUEST>|$)/;
/** Passages that the client adds to the typed text. */
const ADDED = /<(ADDITIONAL_METADATA|USER_SETTINGS_CHANGE)>[\s\S]*?(?:<\/\1>|$)/g;
const MODEL = /`Model Selection` from .{0,200}? to (.{1,200}?)\. /;

/** Returns the typed text. */
function saidIn({ content }: JsonObject): Said {
  const given = asString(content) ?? "";
  return typedPrompt((REQUEST.exec(given)?.[1] ?? given).replace(ADDED, "").trim());
}

/** Returns the model that the user chose with a prompt; null when it did not change. */
function modelIn({ content }: JsonObject): string | null {
  return MODEL.exec(asString(content) ?? "")?.[1] ?? null;
}

/** Times that the client writes above a result. */
const HEADER = /^(?:(?:Created|Completed) At: .*\n)+/;
const COMMAND_FAILED = /^\s*The command failed with exit code: -?\d+\s*/;
const OUTPUT = /(?<!\s)\s*^[ \t]*(?:Output|Stdout|Stderr):[ \t]?/gm;
const STEP_FAILED = /^Encountered error in step execution: /;
const REFUSED = /\buser (?:denied|rejected|declined|cancelled)\b/i;

/** Returns the result in a step; `questions` are those of its call to the user. A failed command succeeds as a step. */
function resultIn(step: JsonObject, callId: string | null, questions: readonly string[]): ToolResult {
  const text = unindented((asString(step.content) ?? "").replace(HEADER, ""));
  if (questions.length > 0) return { ...resultOf(callId, false, ""), answers: answersIn(text, questions) };
  const isError = step.status === "ERROR" || COMMAND_FAILED.test(text);
  if (!isError) return resultOf(callId, false, text);
  const reason = text.replace(COMMAND_FAILED, "").replace(OUTPUT, "").replace(STEP_FAILED, "").trim();
  return resultOf(callId, true, REFUSED.test(text) ? "" : (asString(reason) ?? text.trim()));
}

/** Removes the tabs by which the client indents its notes on a result. */
function unindented(text: string): string {
  return text.replace(/^\t+/gm, "");
}

/** Parses answers such as `A1: …`, one line per question. */
function answersIn(text: string, questions: readonly string[]): Answer[] {
  return [...text.matchAll(/^A(\d+): (.+)$/gm)].flatMap(([, number, given]) => {
    const question = questions[Number(number) - 1];
    const answer = asString(given?.trim());
    return question === undefined || answer === null ? [] : { question, answer, notes: null };
  });
}

const TITLE =
  "SELECT title FROM conversation_summaries WHERE conversation_id = ? AND octet_length(title) <= 10000";

/** Returns the client's title of a conversation; null when it has none, or its database cannot be read. */
function titleOf(folder: string, id: string): string | null {
  const file = join(dirname(dirname(folder)), "conversation_summaries.db");
  try {
    const row = readDatabase(file, (database) => {
      requireIndex(database, "conversation_summaries", "conversation_id");
      return database.query(TITLE).get(id);
    });
    return asString(asObject(row)?.title);
  } catch {
    return null;
  }
}
