import { cleanText } from "../../redact/clean.ts";
import type { ToolCall } from "../events.ts";
import type { EntryText, TracedCure } from "../transcript.ts";
import { commandOf, isCurable, OpenFailure } from "./cure.ts";
import { errorLines } from "./signature.ts";

/** Follows the calls of one turn, to learn what got past those that failed. Costs nothing while none has failed. */
export class CureTrace {
  readonly cures: TracedCure[] = [];
  readonly #pending = new Map<string, ToolCall>();
  #open: OpenFailure[] = [];

  say(texts: readonly EntryText[]): void {
    if (texts.length > 0) for (const failure of this.#open) failure.say(texts);
  }

  add(call: ToolCall): void {
    if (call.id === null) return;
    this.#pending.set(call.id, call);
    for (const failure of this.#open) failure.issue(call.id);
  }

  /** Keeps the cure of a failure up to date. Returns whether what follows can still change it. */
  #isOpenAfter(failure: OpenFailure, id: string, call: ToolCall, error: string | null): boolean {
    const { callId } = failure;
    const isOpen = failure.finish(id, call, error);
    const at = this.cures.findIndex(({ failedId }) => failedId === callId);
    const { found } = failure;
    if (at >= 0) this.cures.splice(at, 1);
    if (found !== null) this.cures.push({ failedId: callId, ...found });
    return isOpen && !failure.isOver;
  }

  /** Registers the result of a call; `error` is null for one that succeeded. */
  finish(id: string, error: string | null): void {
    const call = this.#pending.get(id);
    if (!call) return;
    this.#pending.delete(id);
    if (error === null && this.#open.length === 0) return;
    this.#open = this.#open.filter((failure) => this.#isOpenAfter(failure, id, call, error));
    if (error === null || !isCurable(call)) return;
    const errors = errorLines(error, cleanText);
    if (errors.length > 0) this.#open.push(new OpenFailure(id, call, commandOf(call), errors));
  }
}
