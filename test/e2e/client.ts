import { Database } from "bun:sqlite";
import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryLock } from "../../src/io/lock.ts";
import { hasQueued } from "../../src/project/queue.ts";
import type { RunResult, Sandbox } from "../support/sandbox.ts";
import { until } from "../support/wait.ts";

type Block = Record<string, unknown>;

/** Stands for Claude Code: calls the hooks with the fields that it gives them, and writes a transcript as it does. */
export class Client {
  readonly sandbox: Sandbox;
  readonly sessionId: string;
  readonly transcript: string;
  readonly env: Record<string, string>;
  #promptId = crypto.randomUUID();
  #last: string | null = null;
  #tools = 0;
  #minute = 0;
  readonly #day: number;

  /** @param day of November 2026 on which the conversation takes place. */
  constructor(sandbox: Sandbox, env: Record<string, string> = {}, day = 20) {
    this.#day = day;
    this.sandbox = sandbox;
    this.env = env;
    this.sessionId = crypto.randomUUID();
    const folder = sandbox.project.replace(/[^a-zA-Z0-9]/g, "-");
    this.transcript = join(sandbox.home, ".claude/projects", folder, `${this.sessionId}.jsonl`);
    mkdirSync(dirname(this.transcript), { recursive: true });
  }

  /** Runs a hook; `told` is the text that it adds to Claude's context, which goes into the transcript as it does there. */
  async hook(event: string, name: string, fields: Block = {}): Promise<RunResult & { told: string | null }> {
    const result = await this.sandbox.hook(event, { ...this.#common(name), ...fields }, { env: this.env });
    const told = result.stdout === "" ? null : JSON.parse(result.stdout).hookSpecificOutput.additionalContext;
    if (told !== null)
      this.#entry("attachment", {
        attachment: { type: "hook_additional_context", content: [told], hookName: name, hookEvent: name },
        rendered: [
          { content: `<system-reminder>\n${name} hook additional context: ${told}\n</system-reminder>` },
        ],
      });
    return { ...result, told };
  }

  sessionStart(source: string) {
    const resumed = {
      seconds_since_last_response: 0,
      context_tokens: 30,
      prompt_cache_likely_expired: false,
    };
    return this.hook("session-start", "SessionStart", {
      source,
      ...(source === "resume" && resumed),
      ...(source === "compact" && { model: "claude-sonnet-4-5" }),
    });
  }

  async prompt(text: string) {
    this.#promptId = crypto.randomUUID();
    const answer = await this.hook("user-prompt-submit", "UserPromptSubmit", {
      permission_mode: "default",
      prompt: text,
    });
    this.#prompted(text);
    return answer;
  }

  /** Writes a prompt that no hook was asked about: one from before. */
  asked(text: string): void {
    this.#promptId = crypto.randomUUID();
    this.#prompted(text);
  }

  say(text: string): void {
    this.#assistant([{ type: "text", text }]);
  }

  /** Uses a tool: the hook where Claude Code calls it for this tool, then the entries of the call and its result. */
  async tool(name: string, input: Block, result: { content: string; isError?: boolean } = { content: "ok" }) {
    const id = `toolu_${++this.#tools}`;
    const fields = { permission_mode: "default", tool_name: name, tool_input: input, tool_use_id: id };
    const isWatched = /^(?:Read|Edit|Write|NotebookEdit)$/.test(name);
    this.#assistant([{ type: "tool_use", id, name, input }]);
    const answer = isWatched ? await this.hook("pre-tool-use", "PreToolUse", fields) : null;
    const block = {
      tool_use_id: id,
      type: "tool_result",
      content: result.content,
      is_error: result.isError ?? false,
    };
    this.#entry("user", { message: { role: "user", content: [block] }, toolUseResult: result.content });
    return answer;
  }

  stop(fields: Block = {}) {
    return this.hook("stop", "Stop", {
      permission_mode: "default",
      stop_hook_active: false,
      last_assistant_message: "Done.",
      background_tasks: [],
      session_crons: [],
      ...fields,
    });
  }

  subagentStart(agentId: string) {
    return this.hook("subagent-start", "SubagentStart", { agent_id: agentId, agent_type: "general-purpose" });
  }

  /** Where the transcript of a subagent is. */
  agentTranscript(agentId: string): string {
    return join(this.transcript.replace(/\.jsonl$/, ""), "subagents", `agent-${agentId}.jsonl`);
  }

  subagent(agentId: string, task: string, answer: string): void {
    const file = this.agentTranscript(agentId);
    mkdirSync(dirname(file), { recursive: true });
    const entry = (type: string, message: Block) =>
      `${JSON.stringify({ ...this.#base(), isSidechain: true, agentId, type, message })}\n`;
    const said = { id: `msg_${agentId}`, role: "assistant", content: [{ type: "text", text: answer }] };
    appendFileSync(file, entry("user", { role: "user", content: task }) + entry("assistant", said));
  }

  subagentStop(agentId: string) {
    return this.hook("subagent-stop", "SubagentStop", {
      permission_mode: "default",
      agent_id: agentId,
      agent_type: "",
      stop_hook_active: false,
      agent_transcript_path: this.agentTranscript(agentId),
      last_assistant_message: "Done.",
      background_tasks: [],
      session_crons: [],
    });
  }

  preCompact() {
    return this.hook("pre-compact", "PreCompact", { trigger: "manual", custom_instructions: null });
  }

  /** What a compaction leaves in the transcript. */
  compacted(summary: string): void {
    const compactMetadata = { trigger: "manual", preTokens: 30 };
    this.#entry("system", {
      subtype: "compact_boundary",
      content: "Conversation compacted",
      compactMetadata,
    });
    const content = `This session is being continued from a previous conversation that ran out of context. ${summary}`;
    this.#entry("user", { message: { role: "user", content }, isCompactSummary: true });
  }

  end() {
    return this.hook("session-end", "SessionEnd", { reason: "other" });
  }

  #common(name: string): Block {
    const prompt = name === "SessionStart" ? {} : { prompt_id: this.#promptId };
    const { project } = this.sandbox;
    return {
      session_id: this.sessionId,
      transcript_path: this.transcript,
      cwd: project,
      ...prompt,
      hook_event_name: name,
    };
  }

  #prompted(text: string): void {
    this.#entry("user", {
      promptId: this.#promptId,
      message: { role: "user", content: text },
      promptSource: "user",
    });
  }

  #assistant(content: Block[]): void {
    const message = {
      id: `msg_${crypto.randomUUID()}`,
      type: "message",
      role: "assistant",
      model: "claude",
      content,
    };
    this.#entry("assistant", { message });
  }

  #base(): Block {
    return {
      parentUuid: this.#last,
      isSidechain: false,
      uuid: crypto.randomUUID(),
      timestamp: new Date(Date.UTC(2026, 10, this.#day, 9, this.#minute++)).toISOString(),
      userType: "external",
      entrypoint: "cli",
      cwd: this.sandbox.project,
      sessionId: this.sessionId,
      version: "2.1.330",
      gitBranch: "main",
    };
  }

  #entry(type: string, fields: Block): void {
    const entry: Block = { ...this.#base(), type, ...fields };
    this.#last = String(entry.uuid);
    appendFileSync(this.transcript, `${JSON.stringify(entry)}\n`);
  }
}

/** Resolves when the background worker of a project in the sandbox has nothing left to do and is gone. */
export async function workerDone(sandbox: Sandbox, project = sandbox.project): Promise<void> {
  const memory = sandbox.memoryOf(project);
  if (!existsSync(memory)) return;
  await until("the worker has ended", () => {
    const lock = hasQueued(memory) ? null : tryLock(join(memory, "worker.lock"));
    lock?.release();
    return lock !== null;
  });
}

/** Waits until every chunk of a project's memory has its vector: the worker makes them in the background. */
export function untilEmbedded(sandbox: Sandbox, cwd = sandbox.project) {
  return until("everything is embedded", () => {
    const content = contentOf(join(sandbox.memoryOf(cwd), "mementor.db"));
    return content?.pending_chunks === 0 && content;
  });
}

/** What a database holds that another process writes; null as long as it is not to be read. */
function contentOf(file: string): { turns: number; pending_chunks: number } | null {
  try {
    using database = new Database(file, { readonly: true });
    return database
      .query<{ turns: number; pending_chunks: number }, []>(
        "SELECT (SELECT count(*) FROM turns) AS turns, (SELECT count(*) FROM pending_vectors) AS pending_chunks",
      )
      .get();
  } catch {
    return null;
  }
}
