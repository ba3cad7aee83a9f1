import { CHANGING_TOOLS } from "../../constants.ts";
import type { Cure } from "../../domain.ts";
import { cleanText } from "../../redact/clean.ts";
import type { Change, ToolCall } from "../events.ts";
import type { EntryText } from "../transcript.ts";
import { tellingChange } from "./change.ts";
import { evenCommand, hidesExit, isSameKind, isSameTask, kindsOf, onlyLooks } from "./command.ts";
import { reasonIn } from "./said.ts";
import { type ErrorLine, everyErrorLine, shareForm } from "./signature.ts";

/** What follows a failure is looked at up to so many calls, failures of the same kind, and other things done. */
const MAX_CALLS = 24;
const MAX_TRIES = 4;
const MAX_DONE = 3;
const MAX_SAID = 12;
/** Tools whose failures are mistakes in the call, or tell nothing that holds later. */
const PASSED_OVER = new Set([
  ...CHANGING_TOOLS,
  ...["Read", "NotebookRead", "Glob", "Grep", "WebFetch", "WebSearch", "AskUserQuestion", "ExitPlanMode"],
]);

/** Whether a failure of this tool may have a cure that is worth telling. */
export function isCurable({ name }: Pick<ToolCall, "name">): boolean {
  return !PASSED_OVER.has(name);
}

/** A cure and the calls that it is made of. */
interface Found {
  callIds: readonly string[];
  cure: Cure;
}

/** A failed call, followed until it is got past. */
export class OpenFailure {
  readonly callId: string;
  readonly #failed: ToolCall;
  readonly #command: string;
  readonly #errors: readonly ErrorLine[];
  /** Ids of calls that were made since. */
  readonly #issued = new Set<string>();
  readonly #said: EntryText[] = [];
  readonly #changes: (Change & { callId: string; saidBefore: number })[] = [];
  /** Calls that succeeded and did more than look. */
  readonly #done: { callId: string; command: string }[] = [];
  #tries = 0;
  #found: Found | null = null;
  #hasChanged = false;
  #changedSince = false;

  constructor(callId: string, failed: ToolCall, command: string, errors: readonly ErrorLine[]) {
    this.callId = callId;
    this.#failed = failed;
    this.#command = command;
    this.#errors = errors;
  }

  /** Too much has happened since. */
  get isOver(): boolean {
    return this.#issued.size > MAX_CALLS || this.#tries > MAX_TRIES;
  }

  say(texts: readonly EntryText[]): void {
    if (this.#said.length < MAX_SAID) this.#said.push(...texts);
  }

  issue(id: string): void {
    this.#issued.add(id);
  }

  /** What got past the failure, as far as is known; null when nothing did, or when it cannot be told. */
  get found(): Found | null {
    return this.#found;
  }

  /** Takes the result of a call that was made since. Returns whether what follows can still change the cure. */
  finish(id: string, call: ToolCall, error: string | null): boolean {
    if (!this.#issued.has(id)) return true;
    const command = commandOf(call);
    if (this.#isSameTask(call, command)) return this.#repeated(id, command, error);
    if (error !== null) return true;
    const isChange = CHANGING_TOOLS.some((tool) => tool === call.name);
    if (this.#found !== null) this.#changedSince ||= isChange;
    else if (isChange) {
      this.#hasChanged = true;
      if (call.change != null)
        this.#changes.push({ ...call.change, callId: id, saidBefore: this.#said.length });
    } else if (call.command !== null && !onlyLooks(command)) this.#done.push({ callId: id, command });
    return true;
  }

  #repeated(id: string, command: string, error: string | null): boolean {
    const isSure = this.#failed.command === null || isSameKind(this.#command, command);
    if (error !== null) {
      this.#tries++;
      const others = everyErrorLine(error, cleanText);
      if (shareForm(others, this.#errors)) return this.#disprove(isSure ? others : []);
      // It got as far as another failure.
      if (others.length === 0) return true;
    } else if (hidesExit(command, this.#command)) return true;
    // The change may be what helped.
    if (this.#changedSince) this.#found = null;
    else this.#found ??= this.#cure(id, command);
    // Another command, such as one that mends, is a cure unless the failed one fails again.
    return !isSure;
  }

  /** Leaves out of the cure what failed again after it. */
  #disprove(again: readonly ErrorLine[]): boolean {
    if (this.#found === null) return true;
    const { callIds, cure } = this.#found;
    const errors = cure.errors.filter((error) => !shareForm([error], again));
    this.#found = errors.length === 0 ? null : { callIds, cure: { ...cure, errors } };
    return true;
  }

  #isSameTask(call: ToolCall, command: string): boolean {
    if (this.#failed.command === null || call.command === null) return this.#failed.name === call.name;
    return isSameTask(this.#command, command);
  }

  #cure(id: string, command: string): Found | null {
    const failed = evenCommand(this.#command);
    const call = evenCommand(command);
    const isShell = this.#failed.command !== null;
    const base = {
      errors: [...this.#errors],
      kinds: isShell ? kindsOf(this.#command) : [this.#failed.name],
      failed,
      call: null,
      isBefore: false,
      calls: this.#issued.size,
      change: null,
    };
    const told = tellingChange(this.#changes, this.#errors);
    if (told !== null) {
      const { callId, ...change } = told.change;
      const saidBefore = this.#changes.find((each) => each.callId === callId)?.saidBefore;
      const said = this.#reason(told.errors, change.line, saidBefore);
      return { callIds: [callId], cure: { ...base, errors: told.errors, change, said } };
    }
    if (this.#hasChanged) return null;
    const said = this.#reason(this.#errors, command);
    if (call !== failed)
      return isShell || said !== null ? { callIds: [id], cure: { ...base, call, said } } : null;
    const last = this.#done.at(-1);
    if (last === undefined || this.#done.length > MAX_DONE) return null;
    const before = { call: evenCommand(last.command), isBefore: true };
    return { callIds: [last.callId], cure: { ...base, ...before, said } };
  }

  #reason(errors: readonly ErrorLine[], cure: string, saidBefore?: number): Cure["said"] {
    const textOf = (lines: readonly ErrorLine[]) => lines.map(({ text }) => text).join(" ");
    const others = this.#errors.filter((error) => !shareForm([error], errors));
    return reasonIn(this.#said.slice(0, saidBefore), `${textOf(errors)} ${cure}`, textOf(others));
  }
}

/** The command line that a call runs, or else its arguments. */
export function commandOf({ name, command, shown }: Pick<ToolCall, "name" | "command" | "shown">): string {
  return command ?? [name, ...(shown ?? []).map(({ value }) => value ?? "")].join(" ");
}
