import type { Cure, ErrorLine } from "../../../domain.ts";
import { likeness, wordsOfCommand } from "./command.ts";

/** A failure that has just happened. */
export interface FreshFailure {
  command: string;
  kinds: readonly string[];
  errors: readonly ErrorLine[];
  /** The output of the call. */
  output: string;
}

/** Says only that something is not where it was looked for; what, stands in the path. */
const OF_PATH =
  /no such (?:file|directory)|cannot find|can't (?:read|open|find)|cannot (?:access|remove|open|stat)|did not match|ambiguous argument|does not exist|could not (?:open|resolve|import|find)|ENOENT|not found|ignored by|not under version/i;

/** How like commands must be whose cure has no sentence that explains it. */
const ALIKE = 0.5;
/** How much better a cure is that was explained. */
const EXPLAINED = 0.3;

/**
 * Returns the cure that fits a failure best, of cures of its errors; null where none does, and where the call right
 * after such an error got past it once: then its words are plain enough.
 */
export function bestCure<T extends { cure: Cure }>(failure: FreshFailure, cures: readonly T[]): T | null {
  if (cures.some(({ cure }) => isPlain(failure, cure))) return null;
  const [best] = cures
    .map((each) => ({ each, fit: fitOf(failure, each.cure) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit);
  return best?.each ?? null;
}

/**
 * Returns how well a cure fits a failure; 0 where it does not, would tell what the error says itself, or is of use only
 * where it happened.
 */
function fitOf(failure: FreshFailure, cure: Cure): number {
  const shared = sharedErrors(failure, cure);
  if (shared.length === 0 || saidByItself(failure, cure)) return 0;
  const isOfPath = shared.every(({ form }) => form.includes("PATH") && OF_PATH.test(form));
  if (isOfPath ? !fitsPath(failure, cure, shared) : !fitsCommand(failure, cure)) return 0;
  const alike = likeness(failure.command, cure.failed);
  if (cure.change === null && cure.said === null && !isSmall(cure, alike)) return 0;
  return 0.5 + alike + (cure.said === null ? 0 : EXPLAINED);
}

/** For what was not found: the same thing, or the same command from another directory for one in the same place. */
function fitsPath({ kinds }: FreshFailure, cure: Cure, shared: readonly ErrorLine[]): boolean {
  if (!cure.kinds.some((kind) => kinds.includes(kind))) return false;
  if (shared.some(({ text }) => cure.errors.some((other) => isSameLine(text, other.text)))) return true;
  return changesDirectoryOnly(cure) && hasSamePlace(shared, cure);
}

function fitsCommand({ kinds, command }: FreshFailure, cure: Cure): boolean {
  if (!hasSameProgram(kinds, cure.kinds)) return false;
  // Another command may have to run in another directory.
  return !changesDirectoryOnly(cure) || likeness(command, cure.failed) >= ALIKE;
}

/** Whether the call that got past the failure is near enough to the one that failed to speak for itself. */
function isSmall({ isBefore, failed, call }: Cure, alike: number): boolean {
  return isBefore ? alike >= ALIKE : likeness(failed, call ?? "") >= ALIKE;
}

function hasSameProgram(a: readonly string[], b: readonly string[]): boolean {
  const program = (kind: string) => kind.split(" ")[0];
  return a.some((kind) => b.some((other) => program(kind) === program(other)));
}

/** Whether a path that was not found begins in the same directory in both. */
function hasSamePlace(shared: readonly ErrorLine[], { errors }: Cure): boolean {
  const starts = (text: string) =>
    new Set([...text.matchAll(/(?<![\w.-])([\w.-]+)[\\/][\w.-]/g)].map(([, start]) => start));
  return shared.some(({ text, form }) =>
    errors.some((other) => other.form === form && starts(text).intersection(starts(other.text)).size > 0),
  );
}

/** Whether two lines of output are the same, numbers aside. */
function isSameLine(a: string, b: string): boolean {
  return a.replace(/\d+/g, "N") === b.replace(/\d+/g, "N");
}

/** Whether the call that succeeded is the one that failed in another directory. */
function changesDirectoryOnly({ failed, call, isBefore }: Cure): boolean {
  if (call === null || isBefore) return false;
  const without = (line: string) => line.replace(/^(?:cd\s+\S+\s*(?:&&|;)\s*)+/, "").replace(/\s--\s/g, " ");
  const [a, b] = [without(failed), without(call)];
  return (a !== failed || b !== call) && likeness(a, b) >= 0.9;
}

/** Whether the error's output names what made the difference: all that had to be added, or something that had to go. */
function saidByItself({ output }: FreshFailure, { failed, call, change }: Cure): boolean {
  const before = wordsOfCommand(failed);
  const after = change === null ? wordsOfCommand(call ?? "") : new Set(change.line.match(/[\w.:>=~]+/g));
  const isNamed = (word: string) => output.includes(word);
  const added = [...after].filter((word) => !before.has(word));
  if (added.length > 0) return added.every(isNamed);
  return [...before].some((word) => !after.has(word) && isNamed(word));
}

/** Whether the next call got past it, though nobody had to say why, or though the error says what of the call was wrong. */
function isPlain(failure: FreshFailure, cure: Cure): boolean {
  if (cure.calls > 1) return false;
  const called = namesIn(failure.command);
  const isOfCall = ({ text }: ErrorLine) => namesIn(text).intersection(called).size > 0;
  return cure.said === null || sharedErrors(failure, cure).some(isOfCall);
}

/** The errors of a failure that a cure is for. */
function sharedErrors({ errors }: FreshFailure, cure: Cure): ErrorLine[] {
  return errors.filter(({ form }) => cure.errors.some((other) => other.form === form));
}

/** Words of many errors and settings, which say nothing about which one it is. */
const COMMON = new Set(
  "error errors config value return returns import const false configuration found expected tests failed cannot invalid unknown missing".split(
    " ",
  ),
);

/** Returns the longer words of a text in lower case, names of code among them. */
export function namesIn(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}_][\w-]{4,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)));
}
