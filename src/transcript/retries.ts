import { CHANGING_TOOLS } from "../constants.ts";
import type { ToolCall } from "./events.ts";

/** Only the start of a command is compared. */
const COMMAND_CHARS = 500;
/** Directory changes before a command, and what happens with its output, do not make it another command. */
const CHANGE_DIRECTORY = /^(?:cd\s+\S+\s*(?:&&|;)\s*)+/;
const OUTPUT = /(?:(?<!\s)\s+)?(?:\||(?<![\d&])[\d&]*>).*$/s;

/** Follows the calls of one turn, to learn which failed calls succeeded when they were made again. */
export class Retries {
  /** Ids of failed calls that later succeeded. */
  readonly mended = new Set<string>();
  /** The calls without a result. */
  readonly #pending = new Map<string, ToolCall>();
  /** Ids of the calls that failed and have not succeeded since, by task. */
  readonly #failed = new Map<string, string[]>();

  /** Registers a call. */
  add(call: ToolCall): void {
    if (call.id !== null) this.#pending.set(call.id, call);
  }

  /** Registers the result of a call. */
  finish(id: string, isError: boolean): void {
    const call = this.#pending.get(id);
    if (!call) return;
    this.#pending.delete(id);
    // Most turns have no failure, and need not know what their calls do.
    if (!isError && this.#failed.size === 0) return;
    const task = taskOf(call);
    if (task === null) return;
    const failed = this.#failed.get(task) ?? [];
    if (isError) this.#failed.set(task, [...failed, id]);
    else {
      for (const earlier of failed) this.mended.add(earlier);
      this.#failed.delete(task);
    }
  }
}

/** Returns what a call does, so that a repeated call can be recognised; null when that cannot be told. */
function taskOf({ name, command, paths }: ToolCall): string | null {
  if (command !== null)
    return `run ${command.slice(0, COMMAND_CHARS).trim().replace(CHANGE_DIRECTORY, "").replace(OUTPUT, "")}`;
  const [path] = paths;
  if (path === undefined) return null;
  return `${CHANGING_TOOLS.some((tool) => tool === name) ? "change" : name} ${path}`;
}
