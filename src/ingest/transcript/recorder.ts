import type { Commit, Compaction, PrLink, Rewind, SubagentFacts, TurnOrigin } from "../../domain.ts";
import type {
  AgentWork,
  CompactionMark,
  ConversationEvent,
  PrLinkEvent,
  Prompt,
  RecapMessage,
  RewindEvent,
  Said,
  TitleEvent,
  ToolCall,
  ToolResult,
  ToolResults,
  TranscriptEvent,
} from "./events.ts";
import { FactCollector, firstWords, isBefore, type ReaderState } from "./state.ts";
import type { Place, Thread } from "./thread.ts";
import { joinTexts, type ReadOptions, type TranscriptStep } from "./transcript.ts";
import { EntryBuilder, isEmpty } from "./turn-entry.ts";
import { TurnBuilder } from "./turns.ts";

const NONE: ReadonlyMap<string, ToolCall> = new Map();

/** Kind under which the line of a skipped record is counted; null when the record is indexed. */
export type Skipped = string | null;

/** Facts about records that follow from the location of their file. */
export interface RecordSource {
  /** Session of records that name none. */
  sessionId: string | null;
  /** The subagent of the file; null for a main conversation. */
  subagent: { id: string; type: string | null; task: string | null } | null;
}

/** The interface between a recorder and the interpreter of records. */
export interface Interpreter {
  source: RecordSource;
  /** Called when a prompt starts a turn of the main conversation. */
  onMainPrompt?(): void;
}

/** Records the events of one source as turns and facts. Independent of any agent's format. */
export class Recorder {
  readonly turns: TurnBuilder;
  readonly facts: FactCollector;
  /** The session of the previous record. */
  lastSession: string | null;

  #prLinks: PrLink[] = [];
  #compactions: Compaction[] = [];
  #rewinds: Rewind[] = [];
  #subagents = new Map<string, SubagentFacts>();
  readonly #interpreter: Interpreter;
  readonly #make: EntryBuilder;

  constructor(
    state: ReaderState,
    interpreter: Interpreter,
    { redact, rootsOf }: Pick<ReadOptions, "redact" | "rootsOf">,
  ) {
    this.#interpreter = interpreter;
    this.#make = new EntryBuilder(redact, rootsOf);
    this.turns = new TurnBuilder(state);
    this.facts = new FactCollector(state.sessions, this.#make.clean);
    this.lastSession = state.lastSession;
  }

  /** Records one event. Returns null when some of it is stored, else the reason why not. */
  record(event: TranscriptEvent, place: Place): Skipped {
    switch (event.kind) {
      case "title":
        return this.#title(event);
      case "pr_link":
        return this.#prLink(event);
      case "rewind":
        return this.#rewind(event, place);
      case "skipped":
        return event.reason;
      case "conversation":
        return this.#conversation(event, place);
    }
  }

  /** Returns the facts recorded since the last call. */
  takeFacts(): Pick<TranscriptStep, "sessions" | "subagents" | "prLinks" | "compactions" | "rewinds"> {
    const [prLinks, compactions, rewinds] = [this.#prLinks, this.#compactions, this.#rewinds];
    const subagents = [...this.#subagents.values()];
    this.#prLinks = [];
    this.#compactions = [];
    this.#rewinds = [];
    this.#subagents = new Map();
    return { sessions: this.facts.take(), subagents, prLinks, compactions, rewinds };
  }

  #sessionOf({ sessionId }: { sessionId: string | null }): string {
    return sessionId ?? this.lastSession ?? this.#interpreter.source.sessionId ?? "unknown";
  }

  #title(event: TitleEvent): Skipped {
    return this.facts.title(this.#sessionOf(event), event.source, event.title) ? null : "no_title";
  }

  #prLink(event: PrLinkEvent): Skipped {
    if (event.link === null) return "bad_pr_link";
    const { number: prNumber, url: prUrl, repository: prRepository, timestamp } = event.link;
    this.#prLinks.push({ sessionId: this.#sessionOf(event), prNumber, prUrl, prRepository, timestamp });
    return null;
  }

  /** Ends the open turn, because later records do not continue it. */
  #rewind({ sessionId: named, uuid }: RewindEvent, place: Place): Skipped {
    const sessionId = this.#sessionOf({ sessionId: named });
    this.turns.end(this.turns.thread(sessionId, null), place);
    this.#rewinds.push({ sessionId, uuid, lineIndex: place.line });
    return "rewind";
  }

  #conversation(event: ConversationEvent, place: Place): Skipped {
    const sessionId = this.#sessionOf(event);
    if (event.sessionId !== null) this.lastSession = sessionId;
    const thread = this.turns.thread(sessionId, event.agentId);
    const skipped = this.#message(thread, event, place);
    if (skipped !== null) return skipped;
    this.facts.see(sessionId, event);
    if (thread.agentId !== null && !this.#subagents.has(thread.key))
      this.#subagent(thread, thread.agentId, null);
    return null;
  }

  #message(thread: Thread, event: ConversationEvent, place: Place): Skipped {
    const { message } = event;
    switch (message.kind) {
      case "work":
        return this.#work(thread, event, place, message);
      case "results":
        return this.#results(thread, event, place, message);
      case "compaction":
        return this.#compaction(thread, event, place, message);
      case "recap":
        return this.#recap(thread, event, place, message);
      default:
        return this.#said(thread, event, place, message);
    }
  }

  #said(thread: Thread, event: ConversationEvent, place: Place, said: Said): Skipped {
    if (said.kind === "skipped") return said.reason;
    if (said.kind === "prompt") return this.#prompt(thread, event, place, said);
    const entry = this.#make.note(event, place.line, "user", said.text);
    const addition = { entry, record: event, origin: turnOriginOf(thread, event), place };
    const isRecorded = isBefore(place, thread.from);
    if (said.kind === "compaction_summary") {
      if (!isRecorded) this.turns.note(thread, addition, said.kind);
      return null;
    }
    if (!isRecorded && entry.texts.length > 0) this.turns.command(thread, addition);
    return "command_echo";
  }

  #prompt(thread: Thread, event: ConversationEvent, place: Place, prompt: Prompt): Skipped {
    const outside = thread.privatePassage.ofPrompt(prompt.text);
    const entry = this.#make.prompt(event, place.line, outside, prompt.isPlan);
    thread.privatePassage = thread.privatePassage.next(outside);
    if (isEmpty(entry)) return "private";
    const origin = promptOriginOf(thread, event, prompt);
    const addition = { entry, record: event, origin, place };
    if (!this.turns.prompt(thread, addition, prompt.isQueued)) return "duplicate";
    const text = joinTexts(entry.texts);
    if (thread.agentId !== null) this.#subagent(thread, thread.agentId, text);
    else {
      this.#interpreter.onMainPrompt?.();
      if (prompt.by === undefined) this.facts.firstPrompt(thread.sessionId, text);
    }
    return null;
  }

  /** Records a subagent. Its task is the one that the source names, else its first prompt. */
  #subagent({ key, sessionId }: Thread, agentId: string, prompt: string | null): void {
    const { subagent } = this.#interpreter.source;
    const about = subagent?.id === agentId ? subagent : null;
    const said = about?.task ?? null;
    const task =
      this.#subagents.get(key)?.task ?? firstWords(said === null ? (prompt ?? "") : this.#make.clean(said));
    this.#subagents.set(key, { sessionId, agentId, agentType: about?.type ?? null, task });
  }

  #results(thread: Thread, event: ConversationEvent, place: Place, { results, said }: ToolResults): Skipped {
    const awaited = thread.open?.awaited ?? NONE;
    const isAwaited = ({ callId }: ToolResult) =>
      callId === null || awaited.get(callId)?.returnsWords === true;
    const entry = this.#make.results(event, place.line, results, isAwaited);
    thread.privatePassage.hold(entry);
    for (const { callId, isError, text } of results) {
      const call = awaited.get(callId ?? "");
      if (call && !isError && makesCommit(call))
        this.#make.addCommits(entry, commitsIn(text, this.#make.clean));
      if (callId !== null) thread.open?.awaited.delete(callId);
    }
    const skipped = said === null ? "tool_result" : this.#said(thread, event, place, said);
    if (isEmpty(entry)) return skipped;
    if (isBefore(place, thread.from)) return null;
    if (!thread.open) return skipped;
    // In a record with a prompt, the record's `uuid` belongs to the prompt.
    const identified = skipped === null ? { ...entry, uuid: null } : entry;
    this.turns.work(thread, { entry: identified, record: event, origin: turnOriginOf(thread, event), place });
    return null;
  }

  #work(thread: Thread, event: ConversationEvent, place: Place, work: AgentWork): Skipped {
    const entry = this.#make.assistant(event, place.line, work, thread.privatePassage);
    const isRecorded = isBefore(place, thread.from);
    const isNothing = isEmpty(entry);
    if (!isRecorded && !isNothing) {
      this.#commandBefore(thread);
      this.turns.work(thread, { entry, record: event, origin: turnOriginOf(thread, event), place });
    }
    for (const call of isRecorded ? [] : work.calls) {
      if (call.id !== null && (call.returnsWords || makesCommit(call)))
        thread.open?.awaited.set(call.id, call);
    }
    if (!isNothing) return null;
    return work.calls.length > 0 ? "bookkeeping" : "no_text";
  }

  /** Makes a typed command the session's first prompt if work follows it and it says what the work is about. */
  #commandBefore({ command, agentId, sessionId }: Thread): void {
    if (command === null || agentId !== null) return;
    const typed = joinTexts(command.addition.entry.texts).trim();
    if (/\s/.test(typed)) this.facts.firstPrompt(sessionId, typed);
  }

  #compaction(thread: Thread, event: ConversationEvent, place: Place, mark: CompactionMark): Skipped {
    if (thread.agentId !== null) return "agent_compaction";
    const { trigger, preTokens } = mark;
    const { line: lineIndex } = place;
    const { sessionId } = thread;
    this.#compactions.push({ sessionId, lineIndex, trigger, preTokens, timestamp: event.timestamp });
    return null;
  }

  #recap(thread: Thread, event: ConversationEvent, place: Place, { text }: RecapMessage): Skipped {
    const entry = this.#make.note(event, place.line, "assistant", text);
    if (isEmpty(entry)) return "no_text";
    const origin = turnOriginOf(thread, event);
    this.turns.note(thread, { entry, record: event, origin, place }, "away_summary");
    return null;
  }
}

/**
 * Returns the origin of a prompt. A prompt from an MCP server's command belongs to that server, whatever the user typed to get
 * it.
 */
function promptOriginOf(thread: Thread, event: ConversationEvent, { by }: Prompt): TurnOrigin {
  if (thread.agentId !== null) return "subagent";
  const typed = thread.command === null ? "" : joinTexts(thread.command.addition.entry.texts);
  return by ?? (typed.startsWith("/mcp__") ? "server" : turnOriginOf(thread, event));
}

function turnOriginOf(thread: Thread, { isAutomated, isTyped }: ConversationEvent): TurnOrigin {
  if (thread.agentId !== null) return "subagent";
  return isAutomated === true && !isTyped ? "automated" : "human";
}

const GIT_COMMIT = /\bgit\b[^\n;&|]{0,400}?\bcommit\b/;
/** The first line that `git commit` prints: `[branch abc1234] subject`, or `[branch (root-commit) abc1234] subject`. */
const REPORT = /^\[(?:[^\]\n]*? )?([0-9a-f]{7,40})\] (.+)$/gm;

/** Tells whether a call's shell command makes a commit. */
function makesCommit({ command }: ToolCall): boolean {
  return command !== null && GIT_COMMIT.test(command);
}

/** Returns the commits that the output of such a call reports. */
function commitsIn(output: string, clean: (text: string) => string): Commit[] {
  return Array.from(output.matchAll(REPORT), ([, hash = "", subject = ""]) => ({
    hash,
    message: clean(subject.trim()),
  }));
}
