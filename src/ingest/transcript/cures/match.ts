import type { Cure, ErrorLine } from "../../../domain.ts";
import { commandLikeness, wordsOfCommand } from "./command.ts";

/** A failure that has just happened. */
export interface FreshFailure {
  command: string;
  kinds: readonly string[];
  errors: readonly ErrorLine[];
  /** Output of the call. */
  output: string;
}

/** Matches an error that only says that a path was not found. The path itself says which one. */
const OF_PATH =
  /no such (?:file|directory)|cannot find|can't (?:read|open|find)|cannot (?:access|remove|open|stat)|did not match|ambiguous argument|does not exist|could not (?:open|resolve|import|find)|ENOENT|not found|ignored by|not under version/i;

/** Minimum likeness of commands for a cure without an explaining sentence. */
const ALIKE = 0.5;
/** Bonus for a cure with an explanation. */
const EXPLAINED = 0.3;

/**
 * Returns the stored cure that best matches a failure; null when none matches, or when the next call after such an error once
 * cured it, because the error then explains itself.
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
 * Rates how well a cure matches a failure; 0 when it does not match, repeats the error itself, or is useful only in its place.
 */
function fitOf(failure: FreshFailure, cure: Cure): number {
  const shared = sharedErrors(failure, cure);
  if (shared.length === 0 || saidByItself(failure, cure)) return 0;
  const isOfPath = shared.every(({ form }) => form.includes("PATH") && OF_PATH.test(form));
  if (isOfPath ? !fitsPath(failure, cure, shared) : !fitsCommand(failure, cure)) return 0;
  const alike = commandLikeness(failure.command, cure.failed);
  if (cure.change === null && cure.said === null && !isSmall(cure, alike)) return 0;
  return 0.5 + alike + (cure.said === null ? 0 : EXPLAINED);
}

/**
 * Tells whether a cure helps against a missing path: the same path, or the same command in another directory for a path in the
 * same place.
 */
function fitsPath({ kinds }: FreshFailure, cure: Cure, shared: readonly ErrorLine[]): boolean {
  if (!cure.kinds.some((kind) => kinds.includes(kind))) return false;
  if (shared.some(({ text }) => cure.errors.some((other) => isSameLine(text, other.text)))) return true;
  return changesDirectoryOnly(cure) && hasSamePlace(shared, cure);
}

function fitsCommand({ kinds, command }: FreshFailure, cure: Cure): boolean {
  if (!hasSameProgram(kinds, cure.kinds)) return false;
  // Another command may have to run in another directory.
  return !changesDirectoryOnly(cure) || commandLikeness(command, cure.failed) >= ALIKE;
}

/** Tells whether the successful call is so close to the failed one that it needs no explanation. */
function isSmall({ isBefore, failed, call }: Cure, alike: number): boolean {
  return isBefore ? alike >= ALIKE : commandLikeness(failed, call ?? "") >= ALIKE;
}

function hasSameProgram(a: readonly string[], b: readonly string[]): boolean {
  const program = (kind: string) => kind.split(" ")[0];
  return a.some((kind) => b.some((other) => program(kind) === program(other)));
}

/** Tells whether a missing path starts in the same directory in both failures. */
function hasSamePlace(shared: readonly ErrorLine[], { errors }: Cure): boolean {
  const starts = (text: string) =>
    new Set([...text.matchAll(/(?<![\w.-])([\w.-]+)[\\/][\w.-]/g)].map(([, start]) => start));
  return shared.some(({ text, form }) =>
    errors.some((other) => other.form === form && starts(text).intersection(starts(other.text)).size > 0),
  );
}

/** Tells whether two lines of output are equal except for numbers. */
function isSameLine(a: string, b: string): boolean {
  return a.replace(/\d+/g, "N") === b.replace(/\d+/g, "N");
}

/** Tells whether the successful call is the failed one in another directory. */
function changesDirectoryOnly({ failed, call, isBefore }: Cure): boolean {
  if (call === null || isBefore) return false;
  const without = (line: string) => line.replace(/^(?:cd\s+\S+\s*(?:&&|;)\s*)+/, "").replace(/\s--\s/g, " ");
  const [a, b] = [without(failed), without(call)];
  return (a !== failed || b !== call) && commandLikeness(a, b) >= 0.9;
}

/** Tells whether the error's output names the cure: all added words, or a removed one. */
function saidByItself({ output }: FreshFailure, { failed, call, change }: Cure): boolean {
  const before = wordsOfCommand(failed);
  const after = change === null ? wordsOfCommand(call ?? "") : new Set(change.line.match(/[\w.:>=~]+/g));
  const isNamed = (word: string) => output.includes(word);
  const added = [...after].filter((word) => !before.has(word));
  if (added.length > 0) return added.every(isNamed);
  return [...before].some((word) => !after.has(word) && isNamed(word));
}

/** Tells whether the next call cured the failure without an explanation, or with one in the error itself. */
function isPlain(failure: FreshFailure, cure: Cure): boolean {
  if (cure.calls > 1) return false;
  const called = longWords(failure.command);
  const isOfCall = ({ text }: ErrorLine) => longWords(text).intersection(called).size > 0;
  return cure.said === null || sharedErrors(failure, cure).some(isOfCall);
}

/** Returns the errors of a failure that a cure is for. */
function sharedErrors({ errors }: FreshFailure, cure: Cure): ErrorLine[] {
  return errors.filter(({ form }) => cure.errors.some((other) => other.form === form));
}

/** Words of many errors and settings, which do not distinguish them. */
const COMMON = new Set(
  "error errors config value return returns import const false configuration found expected tests failed cannot invalid unknown missing".split(
    " ",
  ),
);

/** Returns the longer words of a text in lower case, including identifiers. */
export function longWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}_][\w-]{4,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)));
}

/** Length of each end of an output to search for errors, in UTF-16 units. */
const END_CHARS = 6_000;
/** Maximum number and length of the output lines that identify a failure. */
const MAX_LINES = 6;
const LINE_CHARS = { min: 8, max: 240 } as const;
/** Maximum lines of an output that consists only of its error. */
const SHORT_OUTPUT = 2;

export type { ErrorLine } from "../../../domain.ts";

/** Matches a mistake in the call of a tool, which is not specific to the project, and a refusal, which is not a failure. */
const SLIP =
  /^(?:<tool_use_error>)?(?:String to replace not found|String not found|File has (?:not been read|been (?:unexpectedly )?modified)|Found \d+ matches of the string|No changes to make|File does not exist|Path does not exist|EISDIR|InputValidationError|Sibling tool call errored|Cancelled|Refused|The user doesn't want|Permission to use|Permission for this|Request interrupted|\[Request interrupted|Search failed|Blocked: sleep|Command timed out|File content \(|claude-\S+ is temporarily|MCP error -32602)/i;

const ERROR =
  /\b(?:error|fatal|panic|exception|denied|refused|rejected|unknown|unexpected|unrecogni[sz]ed|unsupported|illegal|invalid|undefined|unresolved|missing|mismatch(?:ed)?|are ignored|conflicts? in|cannot|can't|can not|couldn't|could not|unable|failed|fails|failure|no such|not (?:found|exist|allowed|permitted|supported|defined|installed|formatted|a |an |been |be |enough|under|sorted)|doesn't|does not|did not|didn't|would (?:have printed|reformat)|needs? formatting|already (?:exists|used|in use)|requires?|no upstream|out of memory)\b|^✘|^×|^Diff in /i;
/** Names of errors, and the rule name at the end of a checker's line. */
const ERROR_NAME = /[a-z](?:Error|Exception)\b|\bE[A-Z]{5,}\b|\((?:[a-z]{4}[a-z0-9-]*|[A-Z]{1,3}\d{2,5})\)$/;

/** Lines that only say that something failed, or accompany an error. */
const PLAIN =
  /exit(?:ed)?(?: with)?(?: (?:code|status))|exit status|\btask failed\b|\bcommand failed\b|script failed|lifecycle|^(?:--- )?FAIL(?:ED|URE|URES)?\b[:\s]*(?:[\w./-][\w./ -]*)?$|^(?:× )?some (?:errors|warnings)|(?:errors|warnings) were emitted|^(?:found |=+ ?)?\d+ (?:errors?|warnings?|issues?|problems?|failed|failures?|fail|passed|pass)\b|\b\d+ (?:fail|failed|failures?)\b|for more information|^note:|^(?:ok|PASS|\?)\s|^(?:hint|help|usage|warning|info|i|debug|tip):?\s|previous errors?$|could not compile|^make(?:\[\w+\])?:|too many errors|failed, waiting|^at\s|^\$ |^[|+>~-]\s|^\d+ [|│~]|^=|^\(B|\b(?:INFO|DEBUG|WARN(?:ING)?)\b|\[(?:info|warn\w*|debug)\]|^\[\w+\] Warning|^(?:code|errno|syscall|path|requireStack|stack): |^Use |^(?:throw|raise|return|if|const|let|var|import|from|for|while|try|except|def|fn|func)\b|[{;]$|^["'`<#/*@]|[─│┌└├┐┘┤┃╭╰]|→|^\w+: \d+$|^(?:Error|Exception|Traceback)\b[^:]{0,40}:?$|^Refactoring|^File "|^Could not apply|^❌?\s*\w+ failed\.?$|Fix these issues before|^Pre-commit \w+ failed/i;

/** Errors of a formatter, which its own command repairs in any code. */
const OF_FORMAT =
  /would have printed|not (?:properly )?(?:formatted|sorted)|would reformat|needs? formatting|^Diff in /i;

/** A failed assertion in a test. Which one, and why, changes with the code. */
const OF_TEST =
  /^(?:--- FAIL|\(fail\)|✗|✕|●|FAIL\b|\d+\) )|\bAssertion(?:Error)?\b|\b(?:expected|received|actual)\b\s*[:=]|\btests? failed\b|\bpanic\b|_test\.\w+:\d+|\.test\.\w+:\d+/i;
/** The output of a test run. */
const TEST_RUN =
  /^[ \t]*\d+ (?:pass(?:ed|ing)?|fail(?:ed|ing)?)\b|^--- (?:FAIL|PASS)|^FAIL\b|\btests?, \d+ failures?\b|^test result:|^Ran \d+ tests|^Tests:\s+\d|=== RUN|^\(fail\)|^bun test v|Running ExUnit|^Test Files\s|^=+ test session|^running \d+ tests?$/m;
/** Problems with the environment of a test run, not with the tested code. */
const OF_PLACE =
  /^\(\w+Error\)|cannot find (?:module|package)|no such file|command not found|ECONNREFUSED|permission denied|requires \w+ as|not (?:configured|installed)|configuration found|import cycle|address already in use|module not found|no module named|could not connect/i;

/** Removes secrets from a line. Must run before `errorTemplate`: without its digits, no rule recognises a secret. */
type Clean = (line: string) => string;

/**
 * Returns the lines of a failed call's output that describe the error. Empty for an output without a description, as of most test
 * runs, for mistakes in the call of a tool, and for unformatted code.
 */
export function errorLines(output: string, clean?: Clean): ErrorLine[] {
  return everyErrorLine(output, clean).filter(({ text }) => !OF_FORMAT.test(text));
}

/** Returns the error lines like `errorLines`, including those of a formatter. */
export function everyErrorLine(output: string, clean: Clean = (line) => line): ErrorLine[] {
  if (SLIP.test(output.trimStart())) return [];
  const text = endsOf(output);
  const lines = linesOf(text);
  const isTestRun = TEST_RUN.test(text);
  const says = (line: string) =>
    isTestRun
      ? OF_PLACE.test(line)
      : lines.length <= SHORT_OUTPUT || ERROR.test(line) || ERROR_NAME.test(line);
  const found = new Map<string, string>();
  for (const line of lines) {
    if (PLAIN.test(line) || OF_TEST.test(line) || !says(line)) continue;
    const words = clean(line).slice(0, LINE_CHARS.max);
    const form = errorTemplate(words);
    if (wordsOnly(form).length >= LINE_CHARS.min && !found.has(form)) found.set(form, words);
    if (found.size === MAX_LINES) break;
  }
  return [...found].map(([form, text]) => ({ form, text }));
}

function endsOf(output: string): string {
  return output.length <= 2 * END_CHARS
    ? output
    : `${output.slice(0, END_CHARS)}\n${output.slice(-END_CHARS)}`;
}

/** Returns a form without its placeholders. */
function wordsOnly(form: string): string {
  return form.replace(/\b(?:PATH|URL|TIME|HEX|N)\b/g, "").replace(/[^\p{L}]/gu, "");
}

function linesOf(text: string): string[] {
  const lines = Bun.stripANSI(text)
    .replaceAll("\\n", "\n")
    .split(/\r\n|[\r\n]/)
    .map((line) => line.trim().replace(/^\*\* (?=\()/, ""))
    .filter((line) => line !== "" && !/^exit code \d+$/i.test(line));
  // A line that introduces the next one says little without it.
  const whole = lines.map((line, at) => (/files?:$/.test(line) ? `${line} ${lines[at + 1] ?? ""}` : line));
  return [...new Set(whole)];
}

/** Removes the variable parts of an error: paths, addresses, times and numbers. */
export function errorTemplate(line: string): string {
  return line
    .replace(/(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\/\/\S+/gi, "URL")
    .replace(/\b\d{4}-\d\d-\d\d[T ]?[\d:.,Z+-]*|\b\d\d:\d\d:\d\d[\d.,]*/g, "TIME")
    .replace(
      /(?<![\w.@~$+\\/-])(?:[A-Za-z]:)?[\w.@~$+-]*(?:[\\/]+[\w.@~$+*-]+)+[\\/]?(?::\d+(?::\d+)?|\(\d+,\d+\))?:?/g,
      "PATH",
    )
    .replace(
      /\b[\w-]+\.(?:[cm]?[jt]sx?|go|rs|py|rb|exs?|eex|java|kt|cs|c|h|cc|cpp|hpp|json|ya?ml|toml|md|sh|sql|css|html?|lock|vue|svelte|swift|php)\b(?::\d+(?::\d+)?|\(\d+,\d+\))?:?/g,
      "PATH",
    )
    .replace(
      /\b0x[0-9a-f]+\b|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{6,}\b/gi,
      "HEX",
    )
    .replace(/\d+(?:[.,]\d+)*/g, "N")
    .replace(/\s+/g, " ")
    .trim();
}

/** Tells whether two failures have an error in common. */
export function shareForm(a: readonly ErrorLine[], b: readonly ErrorLine[]): boolean {
  return a.some(({ form }) => b.some((other) => other.form === form));
}
