import type { Call, CallTexts } from "./call.ts";
import { Disk } from "./disk.ts";
import type { History } from "./history.ts";
import type { Moment } from "./moments.ts";
import { rewriterTo } from "./roots.ts";
import { Stage } from "./stage.ts";
import { curingTurn, fileTurns, statementHash, type ToldTurn, toldTurns } from "./told.ts";

export interface PlayOptions {
  binary: string;
  /** Each `key=value`. */
  settings: readonly string[];
  /** Directories of the project on the machine where the history was made. */
  roots: readonly string[];
  /** Is given each prompt as the hook gets it, and the memory, just before the hook is asked. */
  onPrompt?: (
    prompt: string,
    at: { corpus: string; session: string; line: number },
    stage: Stage,
  ) => Promise<void>;
}

/** A call with its words, which are the history's. */
export interface Played {
  call: Call;
  texts: CallTexts;
}

/**
 * Plays a history: at each moment the memory holds what stood on disk then, and the hook is asked. The memory is brought
 * up to date before prompts only, for that is when turns before have ended.
 */
export async function* play(
  { corpus, sessions }: History,
  moments: readonly Moment[],
  { binary, settings, roots, onPrompt }: PlayOptions,
): AsyncGenerator<Played> {
  await using stage = await Stage.open(binary, settings);
  const rewrite = rewriterTo(stage.project, roots);
  const disk = new Disk(stage.transcripts, sessions, rewrite);
  for (const moment of moments) {
    const { kind, session, line, time, place } = moment;
    disk.advance(session, line, time);
    if (isAtPrompt(moment)) await stage.ingest(disk.takeChanged(), time, optionsFor(moment));
    const common = {
      session_id: session.id,
      transcript_path: disk.fileOf(session),
      cwd: stage.project,
      permission_mode: "default",
    };
    const { event, ...payload } = payloadOf(moment);
    const here = JSON.parse(rewrite(JSON.stringify(payload)));
    if (typeof here.prompt === "string")
      await onPrompt?.(here.prompt, { corpus, session: session.id, line }, stage);
    const { text: told, ms } = await stage.hook(event, { ...common, ...here }, time);
    const named = NAMED[kind](told);
    const turns = await Promise.all(
      named.map(async ({ turnId, statement }) => ({
        ...(await stage.turn(turnId)),
        turnId,
        hash: statement === null ? null : statementHash(statement),
      })),
    );
    const at = { corpus, session: session.id, line, time, place };
    const tool = toolOf(moment);
    const statements = named.map(({ statement }) => statement);
    yield {
      call: { kind, ...at, tool, chars: told.length, ms, turns },
      texts: { asked: askedOf(moment), told, statements },
    };
  }
}

const NAMED = { prompt: toldTurns, file: fileTurns, failure: curingTurn } as const satisfies Record<
  Moment["kind"],
  (told: string) => ToldTurn[]
>;

/** Whether turns before have ended since the memory was brought up to date. */
function isAtPrompt(moment: Moment): boolean {
  return moment.kind === "prompt" || (moment.kind === "failure" && moment.isFirst);
}

/** The hook of failures uses no vectors. */
function optionsFor({ kind }: Moment): string[] {
  return kind === "failure" ? ["--text-only"] : [];
}

function toolOf(moment: Moment): string | null {
  if (moment.kind === "prompt") return null;
  return moment.kind === "file" ? moment.file.tool : moment.failure.tool;
}

function payloadOf(moment: Moment): { event: string; hook_event_name: string; [field: string]: unknown } {
  if (moment.kind === "prompt")
    return {
      event: "user-prompt-submit",
      hook_event_name: "UserPromptSubmit",
      prompt: moment.prompt,
    };
  if (moment.kind === "failure") {
    const { tool, id, input, error } = moment.failure;
    return {
      event: "post-tool-use-failure",
      hook_event_name: "PostToolUseFailure",
      ...{ tool_name: tool, tool_use_id: id, tool_input: input, error, is_interrupt: false },
    };
  }
  const { tool, id, input } = moment.file;
  return {
    event: "pre-tool-use",
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_use_id: id,
    tool_input: input,
  };
}

function askedOf(moment: Moment): string {
  if (moment.kind === "prompt") return moment.prompt;
  return moment.kind === "failure" ? moment.failure.error : String(moment.file.input.file_path ?? "");
}
