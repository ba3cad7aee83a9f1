import type { Call, CallTexts } from "./call.ts";
import { Disk } from "./disk.ts";
import type { History } from "./history.ts";
import type { Moment } from "./moments.ts";
import { rewriterTo } from "./roots.ts";
import { Stage } from "./stage.ts";
import { fileTurns, statementHash, type ToldTurn, toldTurns } from "./told.ts";

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
    if (kind === "prompt") await stage.ingest(disk.takeChanged(), time);
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

const NAMED = { prompt: toldTurns, file: fileTurns } as const satisfies Record<
  Moment["kind"],
  (told: string) => ToldTurn[]
>;

function toolOf(moment: Moment): string | null {
  return moment.kind === "prompt" ? null : moment.file.tool;
}

function payloadOf(moment: Moment): { event: string; hook_event_name: string; [field: string]: unknown } {
  if (moment.kind === "prompt")
    return {
      event: "user-prompt-submit",
      hook_event_name: "UserPromptSubmit",
      prompt: moment.prompt,
    };
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
  return moment.kind === "prompt" ? moment.prompt : String(moment.file.input.file_path ?? "");
}
