import type { Compaction, PrLink, SubagentFacts, TurnOrigin } from "../../domain.ts";
import { numberOf, objectOf, stringOf } from "../../transcript/json.ts";
import type { ReaderState } from "../../transcript/state.ts";
import type { Place, Thread } from "../../transcript/thread.ts";
import { type EntryText, type ReadOptions, wordsOf } from "../../transcript/transcript.ts";
import { Turns } from "../../transcript/turns.ts";
import { type Content, contentOf } from "./content.ts";
import type { Entry } from "./entry.ts";
import { describe, Facts, prLinkOf } from "./facts.ts";
import { Sidechains } from "./sidechains.ts";
import { type AgentMeta, agentMeta, type SourceFile, sourceFile } from "./source-file.ts";
import { isAutomated, isSynthetic, judge } from "./speaker.ts";
import { commitsIn, makesCommit } from "./tools/commit.ts";
import { EntryMaker, isEmpty } from "./turn-entry.ts";

/** Recent versions add how to switch recaps off. */
const RECAP_HINT = /\s*\(disable recaps in \/config\)\s*$/;

/** Why an entry is not indexed, as the kind under which its line is counted; null when it is. */
type Skipped = string | null;

/** Turns the entries of one file into turns and facts. */
export class EntryReader {
  readonly turns: Turns;
  readonly facts: Facts;
  readonly sidechains: Sidechains;
  lastSession: string | null;
  prLinks: PrLink[] = [];
  compactions: Compaction[] = [];
  subagents = new Map<string, SubagentFacts>();

  readonly #file: SourceFile;
  readonly #meta: AgentMeta;
  readonly #make: EntryMaker;

  constructor(path: string, state: ReaderState, { redact, rootsOf }: ReadOptions) {
    this.#file = sourceFile(path);
    this.#meta = this.#file.agentId === null ? { agentType: null, description: null } : agentMeta(path);
    this.#make = new EntryMaker(redact, rootsOf);
    this.turns = new Turns(state);
    this.facts = new Facts(state.sessions, this.#make.clean);
    this.sidechains = new Sidechains(state.sidechain);
    this.lastSession = state.lastSession;
  }

  /** True when the file is a subagent's: then every entry is, with or without an id of its own. */
  get isAgentFile(): boolean {
    return this.#file.agentId !== null;
  }

  read(entry: Entry, place: Place): Skipped {
    const hadSession = this.lastSession !== null;
    const sessionId = entry.sessionId ?? this.lastSession ?? this.#file.sessionId ?? "unknown";
    switch (entry.type) {
      case "summary":
        // At the start of a file stand the titles of other sessions, which the list of sessions shows.
        return hadSession ? this.#title(sessionId, "summary", entry.raw.summary) : "summary_elsewhere";
      case "custom-title":
        return this.#title(sessionId, "custom-title", entry.raw.customTitle);
      case "ai-title":
        return this.#title(sessionId, "ai-title", entry.raw.aiTitle);
      case "pr-link":
        return this.#prLink(sessionId, entry);
      case "user":
      case "assistant":
      case "attachment":
      case "system":
        return this.#spoken(sessionId, entry, place);
      default:
        return entry.type;
    }
  }

  #title(sessionId: string, source: "summary" | "custom-title" | "ai-title", title: unknown): Skipped {
    return this.facts.title(sessionId, source, title) ? null : "no_title";
  }

  #prLink(sessionId: string, entry: Entry): Skipped {
    const link = prLinkOf(sessionId, entry);
    if (link) this.prLinks.push(link);
    return link ? null : "bad_pr_link";
  }

  #spoken(sessionId: string, entry: Entry, place: Place): Skipped {
    if (entry.sessionId !== null) this.lastSession = sessionId;
    const thread = this.turns.thread(sessionId, this.#agentOf(entry, place));
    const skipped = this.#inThread(thread, entry, place);
    if (skipped === null) this.#note(thread, entry);
    return skipped;
  }

  #agentOf(entry: Entry, place: Place): string | null {
    if (this.#file.agentId !== null) return entry.agentId ?? this.#file.agentId;
    if (!entry.isSidechain) return null;
    return entry.agentId ?? this.sidechains.idOf(entry, place.lineIndex);
  }

  #note(thread: Thread, entry: Entry): void {
    this.facts.see(thread.sessionId, entry);
    if (thread.agentId === null || this.subagents.has(thread.key)) return;
    const { agentType, description } = thread.agentId === this.#file.agentId ? this.#meta : NO_META;
    const task = description === null ? null : describe(this.#make.clean(description));
    this.subagents.set(thread.key, { sessionId: thread.sessionId, agentId: thread.agentId, agentType, task });
  }

  #inThread(thread: Thread, entry: Entry, place: Place): Skipped {
    switch (entry.type) {
      case "assistant":
        return this.#assistant(thread, entry, place);
      case "attachment":
        return this.#attachment(thread, entry, place);
      case "system":
        return this.#system(thread, entry, place);
      default:
        return this.#user(thread, entry, place);
    }
  }

  #user(thread: Thread, entry: Entry, place: Place): Skipped {
    const content = contentOf(entry);
    if (content.toolResults.length > 0) return this.#results(thread, entry, place, content);
    if (content.texts.length === 0) return entry.message ? "no_text" : "no_message";
    if ("toolUseResult" in entry.raw) return "tool_result";
    return this.#words(thread, entry, place, content.texts, false);
  }

  #words(
    thread: Thread,
    entry: Entry,
    place: Place,
    texts: readonly EntryText[],
    isQueued: boolean,
  ): Skipped {
    const spoken = judge(entry, wordsOf(texts));
    if (spoken.kind === "none") return spoken.reason;
    const { lineIndex } = place;
    const origin = originOf(thread, entry, spoken.kind === "prompt" && spoken.teammate);
    if (spoken.kind === "compaction") {
      const summary = this.#make.note(entry, lineIndex, "user", spoken.text);
      if (place.position >= thread.from)
        this.turns.note(thread, place, entry, summary, "compaction_summary", origin);
      return null;
    }
    if (spoken.kind === "command") {
      const command = this.#make.note(entry, lineIndex, "user", spoken.text);
      if (place.position >= thread.from && command.texts.length > 0)
        this.turns.command(thread, place, entry, command, origin);
      return "command_echo";
    }
    const prompt = this.#make.prompt(entry, lineIndex, spoken.text);
    if (isEmpty(prompt)) return "private";
    if (!this.turns.prompt(thread, place, entry, prompt, origin, isQueued)) return "duplicate";
    this.#onPrompt(thread, wordsOf(prompt.texts), origin);
    return null;
  }

  #onPrompt(thread: Thread, text: string, origin: TurnOrigin): void {
    if (thread.agentId === null) {
      this.sidechains.forget();
      if (origin !== "teammate") this.facts.firstPrompt(thread.sessionId, text);
      return;
    }
    const known = this.subagents.get(thread.key);
    const { agentType, description } = thread.agentId === this.#file.agentId ? this.#meta : NO_META;
    const task = known?.task ?? describe(description === null ? text : this.#make.clean(description));
    this.subagents.set(thread.key, { sessionId: thread.sessionId, agentId: thread.agentId, agentType, task });
  }

  #results(thread: Thread, entry: Entry, place: Place, content: Content): Skipped {
    const made = this.#make.results(entry, place.lineIndex, content);
    for (const { toolUseId, isError, text } of content.toolResults) {
      if (toolUseId !== null && thread.open?.committing.delete(toolUseId) && !isError)
        made.commits.push(...commitsIn(text, this.#make.clean));
    }
    const prompted =
      content.texts.length > 0 ? this.#words(thread, entry, place, content.texts, false) : "tool_result";
    if (isEmpty(made)) return prompted;
    if (place.position < thread.from) return null;
    if (!thread.open) return prompted;
    // Beside a prompt the entry's identity is the prompt's.
    this.turns.work(thread, place, entry, prompted === null ? { ...made, uuid: null } : made, "human");
    return null;
  }

  #assistant(thread: Thread, entry: Entry, place: Place): Skipped {
    if (isSynthetic(entry)) return "api_error";
    const content = contentOf(entry);
    const work = this.#make.assistant(entry, place.lineIndex, content);
    if (isEmpty(work)) return content.toolUses.length > 0 ? "bookkeeping" : "no_text";
    if (place.position < thread.from) return null;
    this.turns.work(thread, place, entry, work, originOf(thread, entry, false));
    for (const use of content.toolUses) {
      if (use.id !== null && makesCommit(use)) thread.open?.committing.add(use.id);
    }
    return null;
  }

  #attachment(thread: Thread, entry: Entry, place: Place): Skipped {
    const attachment = objectOf(entry.raw.attachment);
    if (attachment?.type !== "queued_command") return "attachment";
    const mode = stringOf(attachment.commandMode);
    if (mode !== null && mode !== "prompt") return "notification";
    const { texts } = contentOf({ ...entry, message: { content: attachment.prompt } });
    return texts.length === 0 ? "no_text" : this.#words(thread, entry, place, texts, true);
  }

  #system(thread: Thread, entry: Entry, place: Place): Skipped {
    const { lineIndex } = place;
    if (entry.raw.subtype === "compact_boundary") {
      if (thread.agentId !== null) return "agent_compaction";
      this.compactions.push(compactionOf(thread.sessionId, lineIndex, entry));
      return null;
    }
    if (entry.raw.subtype !== "away_summary") return "system";
    const text = stringOf(entry.raw.content)?.replace(RECAP_HINT, "") ?? "";
    const recap = this.#make.note(entry, lineIndex, "assistant", text);
    if (isEmpty(recap)) return "no_text";
    this.turns.note(thread, place, entry, recap, "away_summary", originOf(thread, entry, false));
    return null;
  }
}

const NO_META: AgentMeta = { agentType: null, description: null };

function originOf(thread: Thread, entry: Entry, isTeammate: boolean): TurnOrigin {
  if (thread.agentId !== null) return "subagent";
  if (isTeammate) return "teammate";
  return isAutomated(entry) ? "automated" : "human";
}

function compactionOf(sessionId: string, lineIndex: number, entry: Entry): Compaction {
  const metadata = objectOf(entry.raw.compactMetadata);
  return {
    sessionId,
    lineIndex,
    trigger: stringOf(metadata?.trigger),
    preTokens: numberOf(metadata?.preTokens),
    timestamp: entry.timestamp,
  };
}
