import { posix } from "node:path";
import { TOOL_LIMITS } from "../../constants.ts";
import type { Commit, FileMention } from "../../domain.ts";
import { withoutHookText } from "../../text/headline.ts";
import { looksLikeFileName } from "../../text/identifiers.ts";
import { onOneLine } from "../../text/lines.ts";
import { UncleanText } from "../../turn/wording.ts";
import type { AgentWork, Answer, RecordContext, ToolArgument, ToolCall, ToolResult } from "./events.ts";
import { storedPath } from "./paths.ts";
import type { PrivatePassage } from "./private-passage.ts";
import { toolMentions } from "./tools/command-paths.ts";
import { type ShellCommand, shellCommands } from "./tools/shell-words.ts";
import { call, failureText, formatArgument, reportEnd, titled, type ValueContext } from "./tools/values.ts";
import type { FindRoots, TurnEntry } from "./transcript.ts";

/** Sizes of the cache of directories and of their paths. They bound the memory that a hostile transcript can take. */
const MAX_PATHS = 1_000;
const MAX_DIRECTORIES = 100;

/** The facts of a record that its entry needs. */
type RecordHead = Pick<RecordContext, "cwd"> & { uuid: string | null };

/** Cached data about a working directory. */
interface Directory {
  /**
   * Returns the stored form of a path; null when it is not stored, for example because it contains a secret. Cached, since a
   * session names the same few files again and again.
   */
  stored: (path: string) => string | null;
  context: ValueContext;
}

/** Creates turn entries: removes secrets, shortens tool calls, and converts paths to their stored form. */
export class EntryBuilder {
  readonly #redact: (text: string) => string;
  readonly #rootsOf: FindRoots;
  readonly #directories = new Map<string | null, Directory>();
  #last = { given: "", cleaned: "" };

  constructor(redact: (text: string) => string, rootsOf: FindRoots) {
    this.#redact = redact;
    this.#rootsOf = rootsOf;
  }

  /** Cleans a text. Remembers the last result, because a command is cleaned twice in a row: for its summary and for its files. */
  clean = (text: string): string => {
    if (text !== this.#last.given) this.#last = { given: text, cleaned: this.#redact(withoutHookText(text)) };
    return this.#last.cleaned;
  };

  prompt(record: RecordHead, lineIndex: number, text: string, isPlan = false): TurnEntry {
    const cleaned = this.clean(text);
    const mentions = mentionedPaths(cleaned).flatMap((path): FileMention[] => {
      const filePath = this.#directory(record.cwd).stored(path);
      return filePath === null ? [] : [{ filePath, toolName: "mention" }];
    });
    const made = blank(record, lineIndex, "user");
    addText(made, isPlan ? cleaned : withoutAnswers(withoutOpening(cleaned)), text);
    return { ...made, mentions };
  }

  assistant(
    record: RecordHead,
    lineIndex: number,
    { texts, calls }: AgentWork,
    passage: PrivatePassage,
  ): TurnEntry {
    const made = blank(record, lineIndex, "assistant");
    passage.hold(made);
    for (const { text, isThinking } of texts)
      addText(made, this.clean(passage.ofAnswer(text, made)), text, isThinking);
    if (calls.length === 0) return made;
    const { stored, context } = this.#directory(record.cwd);
    for (const call of calls) {
      const summary = toolSummary(call, context);
      if (summary !== null) made.toolSummary.push(summary);
      made.mentions.push(...toolMentions(call, stored, this.clean));
      if (call.command === null) continue;
      for (const title of pullRequestTitles(call.command))
        made.toolSummary.push(titled("PullRequest", title, context));
    }
    return made;
  }

  /** Creates an entry for a text that the agent wrote by itself, such as a recap. */
  note(record: RecordHead, lineIndex: number, speaker: "user" | "assistant", text: string): TurnEntry {
    const made = blank(record, lineIndex, speaker);
    addText(made, this.clean(text), text);
    return made;
  }

  /** Creates an entry for the results of tools. `isAwaited` tells whether a result contains words of the conversation. */
  results(
    record: RecordHead,
    lineIndex: number,
    results: readonly ToolResult[],
    isAwaited: (result: ToolResult) => boolean,
  ): TurnEntry {
    const made = blank(record, lineIndex, "tool");
    for (const result of results) {
      const error = result.isError ? failureText(result.text, this.clean) : null;
      if (error !== null) made.errors.push(error);
      if (!isAwaited(result)) continue;
      for (const answer of result.answers) addWords(made.answers, this.clean(answerText(answer)));
      addWords(made.reports, this.clean(result.plan ?? ""));
      // A cut before cleaning could leave half of a secret.
      addWords(made.reports, reportEnd(this.clean(result.report ?? "")));
    }
    return made;
  }

  /** Adds the commits of a call, with their subjects as words of the turn. */
  addCommits(entry: TurnEntry, commits: readonly Commit[]): void {
    const { context } = this.#directory(null);
    entry.commits.push(...commits);
    for (const { message } of commits) entry.toolSummary.push(titled("Commit", message, context));
  }

  #directory(cwd: string | null): Directory {
    let directory = this.#directories.get(cwd);
    if (!directory) {
      directory = directoryOf(cwd, cwd === null ? [] : this.#rootsOf(cwd), this.clean);
      if (this.#directories.size >= MAX_DIRECTORIES) this.#directories.clear();
      this.#directories.set(cwd, directory);
    }
    return directory;
  }
}

function directoryOf(cwd: string | null, roots: readonly string[], clean: ValueContext["clean"]): Directory {
  const paths = new Map<string, string | null>();
  const stored = (path: string): string | null => {
    const known = paths.get(path);
    if (known !== undefined) return known;
    const found = storedPath(path, cwd, roots);
    const kept = found !== null && clean(found) === found ? found : null;
    if (paths.size >= MAX_PATHS) paths.clear();
    paths.set(path, kept);
    return kept;
  };
  return { stored, context: { clean, path: (path) => stored(path) ?? clean(path) } };
}

function blank(record: RecordHead, lineIndex: number, speaker: TurnEntry["speaker"]): TurnEntry {
  return {
    uuid: record.uuid,
    lineIndex,
    speaker,
    texts: [],
    answers: [],
    reports: [],
    toolSummary: [],
    errors: [],
    mentions: [],
    commits: [],
  };
}

/** Text in a prompt that imitates an agent's question with the user's answer, e.g. in a pasted page. */
const LIKE_ANSWERED = /Question(?<=(?:^|\n[^\S\n]*\n)\s*Question)(?=: (?:[^\n]|\n(?!\n))*?\nAnswer: )/g;

/** Puts a space behind the word in such text, so that only real answers begin as `answerText` writes them. */
function withoutAnswers(prompt: string): string {
  return prompt.replace(LIKE_ANSWERED, "Question ");
}

/** Starts of an agent's own texts, which a person who pastes them may repeat. */
const LIKE_AGENTS = /^\s*(?:This(?= session is being continued)|Implement the following plan(?=:\s*\n))/;

/** Puts a space behind such a start, so that only the client's records begin with it. */
function withoutOpening(prompt: string): string {
  return prompt.replace(LIKE_AGENTS, "$& ");
}

function answerText({ question, answer, notes }: Answer): string {
  return `Question: ${question}\nAnswer: ${answer}${notes === null ? "" : `\nNotes: ${notes}`}`;
}

function addText(entry: TurnEntry, cleaned: string, given: string, isThinking = false): void {
  const text = cleaned.trim();
  if (text === "") return;
  const before = given === cleaned ? text : withoutHookText(given).trim();
  entry.texts.push({ text, isThinking, ...(before !== text && { given: new UncleanText(before) }) });
}

function addWords(words: string[], text: string): void {
  const trimmed = text.trim();
  if (trimmed !== "") words.push(trimmed);
}

/** Tells whether an entry has no content for a turn. */
export function isEmpty(entry: TurnEntry): boolean {
  const { texts, answers, reports, toolSummary, errors, mentions, commits } = entry;
  return [texts, answers, reports, toolSummary, errors, mentions, commits].every((list) => list.length === 0);
}

/**
 * Returns the one-line summary of a tool call, such as `Read(src/main.ts)` or `Bash(desc="Run tests", cmd="bun test")`; null when
 * it has none. A call without arguments is its bare name.
 */
export function toolSummary({ name, shown }: ToolCall, context: ValueContext): string | null {
  if (shown === null || name === "") return null;
  return call(
    name,
    shown.map((each) => shownText(each, context)),
  );
}

function shownText({ key, value, isPath }: ToolArgument, context: ValueContext): string | null {
  if (value === null) return null;
  // A path may be anything that an agent was tricked into naming.
  const text = isPath ? onOneLine(context.path(value.slice(0, TOOL_LIMITS.pathChars))) : value;
  return key === null ? text : formatArgument(key, text, context);
}

/** Returns the titles of the pull requests that a shell command opens. */
export function pullRequestTitles(command: string): string[] {
  if (!/\bpr\s+create\b/.test(command)) return [];
  return shellCommands(command).flatMap((simple) => titleOf(simple) ?? []);
}

function titleOf({ words }: ShellCommand): string | null {
  const texts = words.map(({ text }) => text);
  const start = texts.findIndex(
    (text, i) => text === "gh" && texts[i + 1] === "pr" && texts[i + 2] === "create",
  );
  if (start < 0) return null;
  for (let i = start + 3; i < texts.length; i++) {
    const text = texts[i] ?? "";
    if (text === "--title" || text === "-t") return texts[i + 1] ?? null;
    if (text.startsWith("--title=")) return text.slice("--title=".length);
  }
  return null;
}

/**
 * `@path`, `@"path with spaces"`, `@path\ with\ spaces`. Not inside a word, so that an email address is not a
 * mention.
 */
const MENTION = /(?<![\p{L}\p{N}_@./\\-])@(?:"([^"\n]{1,400})"|((?:\\ |[^\s"'`<>()[\]{},;|*?!]){1,4000}))/gu;

/** Returns the paths that a person mentioned with `@`, as written. Leaves out packages (`@scope/name`) and decorators. */
export function mentionedPaths(prompt: string): string[] {
  if (!prompt.includes("@")) return [];
  const paths = new Set<string>();
  for (const [, quoted, plain] of prompt.matchAll(MENTION)) {
    const path = withoutLines((quoted ?? plain ?? "").replaceAll("\\ ", " ").replace(/(?<![.:])[.:]+$/, ""));
    if (isPath(path)) paths.add(path);
    if (paths.size === TOOL_LIMITS.mentionsPerPrompt) break;
  }
  return [...paths];
}

/** Removes line numbers after a path: `#L10-20`, `:10`, `:10-20`. */
function withoutLines(path: string): string {
  return path.replace(/(?:#L?\d+(?:-L?\d+)?|:\d+(?:[-:]\d+)?)$/, "");
}

function isPath(path: string): boolean {
  if (/^(?:\.{1,2}\/|~\/|\/|[A-Za-z]:[\\/])\S/.test(path)) return true;
  if (path.includes("@") || path.includes("://")) return false;
  return path.endsWith("/")
    ? /^[\w.-]+\//.test(path)
    : looksLikeFileName(posix.basename(path.replaceAll("\\", "/")));
}
