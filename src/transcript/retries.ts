import { CHANGING_TOOLS } from "../constants.ts";
import type { ToolCall } from "./events.ts";

/** Only the start of a command is compared. */
const COMMAND_CHARS = 500;
/** Directory changes before a command, and what happens with its output, do not make it another command. */
const CHANGE_DIRECTORY = /^(?:cd\s+\S+\s*(?:&&|;)\s*)+/;
const OUTPUT = /\s*(?:\||[\d&]*>).*$/s;

/** Follows the calls of one turn, to learn which failed calls succeeded when they were made again. */
export class Retries {
  /** Ids of failed calls that later succeeded. */
  readonly mended = new Set<string>();
  readonly #tasks = new Map<string, string>();
  /** Ids of the calls that failed and have not succeeded since, by task. */
  readonly #failed = new Map<string, string[]>();

  /** Registers a call. Returns true when it repeats a failed one, so that its result is of interest. */
  add({ id, ...call }: ToolCall): boolean {
    const task = id === null ? null : taskOf(call);
    if (id === null || task === null) return false;
    this.#tasks.set(id, task);
    return this.#failed.has(task);
  }

  /** Registers the result of a call. */
  finish(id: string, isError: boolean): void {
    const task = this.#tasks.get(id);
    if (task === undefined) return;
    const failed = this.#failed.get(task) ?? [];
    if (isError) this.#failed.set(task, [...failed, id]);
    else {
      for (const earlier of failed) this.mended.add(earlier);
      this.#failed.delete(task);
    }
  }
}

/** Returns what a call does, so that a repeated call can be recognised; null when that cannot be told. */
function taskOf({ name, command, paths }: Omit<ToolCall, "id">): string | null {
  if (command !== null)
    return `run ${command.slice(0, COMMAND_CHARS).trim().replace(CHANGE_DIRECTORY, "").replace(OUTPUT, "")}`;
  const [path] = paths;
  if (path === undefined) return null;
  return `${CHANGING_TOOLS.some((tool) => tool === name) ? "change" : name} ${path}`;
}
