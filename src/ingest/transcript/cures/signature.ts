import type { ErrorLine } from "../../../domain.ts";

/** How much of each end of an output is searched for its errors, in UTF-16 units. */
const END_CHARS = 6_000;
/** Lines of an output that identify its failure, at most, and their length. */
const MAX_LINES = 6;
const LINE_CHARS = { min: 8, max: 240 } as const;
/** An output with so few lines says nothing but its error. */
const SHORT_OUTPUT = 2;

export type { ErrorLine } from "../../../domain.ts";

/** A mistake in how a tool was called, which says nothing about the project; and what was no failure but a refusal. */
const SLIP =
  /^(?:<tool_use_error>)?(?:String to replace not found|String not found|File has (?:not been read|been (?:unexpectedly )?modified)|Found \d+ matches of the string|No changes to make|File does not exist|Path does not exist|EISDIR|InputValidationError|Sibling tool call errored|Cancelled|Refused|The user doesn't want|Permission to use|Permission for this|Request interrupted|\[Request interrupted|Search failed|Blocked: sleep|Command timed out|File content \(|claude-\S+ is temporarily|MCP error -32602)/i;

const ERROR =
  /\b(?:error|fatal|panic|exception|denied|refused|rejected|unknown|unexpected|unrecogni[sz]ed|unsupported|illegal|invalid|undefined|unresolved|missing|mismatch(?:ed)?|are ignored|conflicts? in|cannot|can't|can not|couldn't|could not|unable|failed|fails|failure|no such|not (?:found|exist|allowed|permitted|supported|defined|installed|formatted|a |an |been |be |enough|under|sorted)|doesn't|does not|did not|didn't|would (?:have printed|reformat)|needs? formatting|already (?:exists|used|in use)|requires?|no upstream|out of memory)\b|^✘|^×|^Diff in /i;
/** Names of errors, and the rule that a checker puts at the end of a line. */
const ERROR_NAME = /[a-z](?:Error|Exception)\b|\bE[A-Z]{5,}\b|\((?:[a-z]{4}[a-z0-9-]*|[A-Z]{1,3}\d{2,5})\)$/;

/** Says that something failed, or what is printed beside an error, but not what was wrong. */
const PLAIN =
  /exit(?:ed)?(?: with)?(?: (?:code|status))|exit status|\btask failed\b|\bcommand failed\b|script failed|lifecycle|^(?:--- )?FAIL(?:ED|URE|URES)?\b[:\s]*(?:[\w./-][\w./ -]*)?$|^(?:× )?some (?:errors|warnings)|(?:errors|warnings) were emitted|^(?:found |=+ ?)?\d+ (?:errors?|warnings?|issues?|problems?|failed|failures?|fail|passed|pass)\b|\b\d+ (?:fail|failed|failures?)\b|for more information|^note:|^(?:ok|PASS|\?)\s|^(?:hint|help|usage|warning|info|i|debug|tip):?\s|previous errors?$|could not compile|^make(?:\[\w+\])?:|too many errors|failed, waiting|^at\s|^\$ |^[|+>~-]\s|^\d+ [|│~]|^=|^\(B|\b(?:INFO|DEBUG|WARN(?:ING)?)\b|\[(?:info|warn\w*|debug)\]|^\[\w+\] Warning|^(?:code|errno|syscall|path|requireStack|stack): |^Use |^(?:throw|raise|return|if|const|let|var|import|from|for|while|try|except|def|fn|func)\b|[{;]$|^["'`<#/*@]|[─│┌└├┐┘┤┃╭╰]|→|^\w+: \d+$|^(?:Error|Exception|Traceback)\b[^:]{0,40}:?$|^Refactoring|^File "|^Could not apply|^❌?\s*\w+ failed\.?$|Fix these issues before|^Pre-commit \w+ failed/i;

/** What a formatter says: its own command mends that, whatever the code is. */
const OF_FORMAT =
  /would have printed|not (?:properly )?(?:formatted|sorted)|would reformat|needs? formatting|^Diff in /i;

/** A check of a test that failed: which one, and why, changes with the code. */
const OF_TEST =
  /^(?:--- FAIL|\(fail\)|✗|✕|●|FAIL\b|\d+\) )|\bAssertion(?:Error)?\b|\b(?:expected|received|actual)\b\s*[:=]|\btests? failed\b|\bpanic\b|_test\.\w+:\d+|\.test\.\w+:\d+/i;
/** The output of a test run. */
const TEST_RUN =
  /^[ \t]*\d+ (?:pass(?:ed|ing)?|fail(?:ed|ing)?)\b|^--- (?:FAIL|PASS)|^FAIL\b|\btests?, \d+ failures?\b|^test result:|^Ran \d+ tests|^Tests:\s+\d|=== RUN|^\(fail\)|^bun test v|Running ExUnit|^Test Files\s|^=+ test session|^running \d+ tests?$/m;
/** What can be wrong with where a test run takes place, rather than with what it tests. */
const OF_PLACE =
  /^\(\w+Error\)|cannot find (?:module|package)|no such file|command not found|ECONNREFUSED|permission denied|requires \w+ as|not (?:configured|installed)|configuration found|import cycle|address already in use|module not found|no module named|could not connect/i;

/** Takes the secrets out of a line. A form must be made after that: without its digits, no rule knows a secret any more. */
type Clean = (line: string) => string;

/**
 * Returns the lines of a failed call's output that say what was wrong; empty when it says nothing but that it failed,
 * as most test runs do, for mistakes in the call of a tool, and for code that is only not formatted.
 */
export function errorLines(output: string, clean?: Clean): ErrorLine[] {
  return everyErrorLine(output, clean).filter(({ text }) => !OF_FORMAT.test(text));
}

/** The same with what a formatter says. */
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
    const form = formOf(words);
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

/** A form without the marks of what was left out. */
function wordsOnly(form: string): string {
  return form.replace(/\b(?:PATH|URL|TIME|HEX|N)\b/g, "").replace(/[^\p{L}]/gu, "");
}

function linesOf(text: string): string[] {
  const lines = Bun.stripANSI(text)
    .replaceAll("\\n", "\n")
    .split(/\r\n|[\r\n]/)
    .map((line) => line.trim().replace(/^\*\* (?=\()/, ""))
    .filter((line) => line !== "" && !/^exit code \d+$/i.test(line));
  // A line that leads to the next one says little without it.
  const whole = lines.map((line, at) => (/files?:$/.test(line) ? `${line} ${lines[at + 1] ?? ""}` : line));
  return [...new Set(whole)];
}

/** Leaves out of an error what differs from one time to the next: paths, addresses, times and numbers. */
export function formOf(line: string): string {
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

/** Whether two failures have an error in common. */
export function shareForm(a: readonly ErrorLine[], b: readonly ErrorLine[]): boolean {
  return a.some(({ form }) => b.some((other) => other.form === form));
}
