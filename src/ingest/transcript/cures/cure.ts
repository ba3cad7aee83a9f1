import { CHANGING_TOOLS } from "../../../constants.ts";
import type { Cure } from "../../../domain.ts";
import { cleanText } from "../../../redact/clean.ts";
import { CUES } from "../../../turn/cues.ts";
import { splitSentences } from "../../../turn/sentences.ts";
import { composeText } from "../../../turn/text.ts";
import type { FileChange, ToolCall } from "../events.ts";
import type { EntryText } from "../transcript.ts";
import { commandKinds, evenCommand, hidesExit, isSameKind, isSameTask, onlyLooks } from "./command.ts";
import { type ErrorLine, everyErrorLine, longWords, shareForm } from "./match.ts";

/** Limit for following a failure: calls, failures of the same kind, and other actions after it. */
const MAX_CALLS = 24;
const MAX_TRIES = 4;
const MAX_DONE = 3;
const MAX_SAID = 12;
/** Tools whose failures are mistakes in the call, or have no lasting lesson. */
const PASSED_OVER = new Set([
  ...CHANGING_TOOLS,
  ...["Read", "NotebookRead", "Glob", "Grep", "WebFetch", "WebSearch", "AskUserQuestion", "ExitPlanMode"],
]);

/** Tells whether a failure of this tool may have a useful cure. */
export function isCurable({ name }: Pick<ToolCall, "name">): boolean {
  return !PASSED_OVER.has(name);
}

/** A cure and the calls that it consists of. */
interface Found {
  callIds: readonly string[];
  cure: Cure;
}

/** A failed call that is followed until a cure appears. */
export class OpenFailure {
  readonly callId: string;
  readonly #failed: ToolCall;
  readonly #command: string;
  readonly #errors: readonly ErrorLine[];
  /** Ids of later calls. */
  readonly #issued = new Set<string>();
  readonly #said: EntryText[] = [];
  readonly #changes: (FileChange & { callId: string; saidBefore: number })[] = [];
  /** Later calls that succeeded and did more than read. */
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

  /** True when too much has happened since the failure. */
  get isOver(): boolean {
    return this.#issued.size > MAX_CALLS || this.#tries > MAX_TRIES;
  }

  say(texts: readonly EntryText[]): void {
    if (this.#said.length < MAX_SAID) this.#said.push(...texts);
  }

  issue(id: string): void {
    this.#issued.add(id);
  }

  /** The cure found so far; null when there is none, or it is unclear. */
  get found(): Found | null {
    return this.#found;
  }

  /** Records the result of a later call. Returns true while later results can still change the cure. */
  finish(id: string, call: ToolCall, error: string | null): boolean {
    if (!this.#issued.has(id)) return true;
    const command = callCommand(call);
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
      // The call got as far as another failure.
      if (others.length === 0) return true;
    } else if (hidesExit(command, this.#command)) return true;
    // The change of a file may be the cure.
    if (this.#changedSince) this.#found = null;
    else this.#found ??= this.#cure(id, command);
    // Another command is a cure, e.g. a repair, unless the failed one fails again.
    return !isSure;
  }

  /** Removes from the cure the errors that occurred again after it. */
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
      kinds: isShell ? commandKinds(this.#command) : [this.#failed.name],
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

/** Returns the command line of a call, or else its arguments. */
export function callCommand({ name, command, shown }: Pick<ToolCall, "name" | "command" | "shown">): string {
  return command ?? [name, ...(shown ?? []).map(({ value }) => value ?? "")].join(" ");
}

/** Files that configure how a project is built, checked and run. */
const CONFIGURES =
  /(?:^|[\\/])(?:package\.json|tsconfig[\w.-]*\.json|biome\.jsonc?|\.?eslint[\w.-]*|[\w.-]+\.config\.[cm]?[jt]s|Cargo\.toml|go\.(?:mod|work)|mix\.exs|config[\\/][\w.-]+\.exs|pyproject\.toml|requirements[\w.-]*\.txt|setup\.(?:py|cfg)|tox\.ini|Makefile|justfile|\.?mise\.toml|\.tool-versions|\.?golangci\.ya?ml|\.gitignore|\.gitattributes|docker-compose[\w.-]*|Dockerfile|\.npmrc|bunfig\.toml|deno\.jsonc?|Gemfile|build\.gradle[\w.]*|pom\.xml|\.husky[\\/][\w-]+|\.pre-commit-config\.yaml|\.(?:formatter|credo|dialyzer_ignore)\.exs)$/i;

const BLOCK = { lines: 4, chars: 160 } as const;

/** A line that a change added, with the lines after it. */
interface Added {
  callId: string;
  path: string;
  line: string;
  block: string;
}

/**
 * Returns the change that is useful without its surrounding code, with the errors that it concerns: a project setting that one of
 * them names. Null when there is none. A changed line of code is of use only in its place.
 */
function tellingChange(
  changes: readonly (FileChange & { callId: string })[],
  errors: readonly ErrorLine[],
): { change: Omit<Added, "block">; errors: ErrorLine[] } | null {
  for (const { path, line, block, callId } of changes.flatMap(addedBy)) {
    if (!CONFIGURES.test(path)) continue;
    const names = longWords(line);
    const about = errors.filter(({ text }) => longWords(text).intersection(names).size > 0);
    if (about.length > 0) return { change: { path, callId, line: block }, errors: about };
  }
  return null;
}

function addedBy({ path, before, after, callId }: FileChange & { callId: string }): Added[] {
  const old = new Set(before.split("\n").map((line) => line.trim()));
  const lines = after
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !old.has(line));
  return lines.map((line, at) => ({
    path,
    callId,
    line,
    block: lines
      .slice(at, at + BLOCK.lines)
      .join(" ")
      .slice(0, BLOCK.chars),
  }));
}

const SENTENCE = { min: 30, max: 260 } as const;
const LEAST_SCORE = 1.3;
/** Maximum number of shared names that count. */
const MAX_SHARED = 3;
/** Minimum number of names of other errors in a sentence that is about these. */
const OF_OTHERS = 2;

/**
 * Returns the sentence that best explains the failure or the cure; null when none does.
 *
 * @param about the error and its cure.
 * @param others errors that the cure is not for.
 */
function reasonIn(
  said: readonly EntryText[],
  about: string,
  others: string,
): { text: string; isThinking: boolean } | null {
  const names = [...longWords(about)];
  const foreign = [...longWords(others).difference(new Set(names))];
  const sentences = said.flatMap(({ text, isThinking }) =>
    splitSentences(composeText([{ kind: "narration", text }]))
      .filter((sentence) => mayBeTold(sentence) && sharedBy(sentence.text, foreign) < OF_OTHERS)
      .map((sentence) => ({ text: sentence.text, isThinking, score: scoreOf(sentence.text, names) })),
  );
  // Of equally good sentences, the first one.
  const [best] = sentences.filter(({ score }) => score >= LEAST_SCORE).sort((a, b) => b.score - a.score);
  return best === undefined ? null : { text: best.text, isThinking: best.isThinking };
}

function mayBeTold({ text: { length }, isHeading }: { text: string; isHeading: boolean }): boolean {
  return length >= SENTENCE.min && length <= SENTENCE.max && !isHeading;
}

function sharedBy(words: string, names: readonly string[]): number {
  const lower = words.toLowerCase();
  return names.filter((name) => lower.includes(name)).length;
}

function scoreOf(words: string, names: readonly string[]): number {
  const shared = sharedBy(words, names);
  const when = (cue: RegExp, score: number) => (cue.test(words) ? score : 0);
  return (
    0.7 * Math.min(shared, MAX_SHARED) +
    when(CUES.finding, 1) +
    Math.max(when(CUES.reason, 1), when(CUES.decision, 1)) +
    when(CUES.rule, 0.7) -
    when(CUES.narration, 1.5) -
    Math.max(when(CUES.guess, 1), when(CUES.question, 1)) -
    when(CUES.checked, 1)
  );
}
