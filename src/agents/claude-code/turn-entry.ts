import type { FileMention } from "../../domain.ts";
import { removeInjected } from "../../text/private.ts";
import { storedPath } from "../../transcript/paths.ts";
import { failureText } from "../../transcript/tools/failure.ts";
import { mentionedPaths } from "../../transcript/tools/prompt-paths.ts";
import type { ValueContext } from "../../transcript/tools/values.ts";
import type { RootsOf, TurnEntry } from "../../transcript/transcript.ts";
import type { Content } from "./content.ts";
import type { Entry } from "./entry.ts";
import { toolMentions } from "./tools/mentions.ts";
import { toolSummary } from "./tools/summary.ts";

/** How many paths of how many directories are remembered: a transcript that makes them up costs no memory. */
const MAX_PATHS = 1_000;
const MAX_DIRECTORIES = 100;

/** What is known of a directory that entries were written in. */
interface Directory {
  /**
   * The stored form of a path, or null when it is not kept, as one that holds a secret. It is remembered: a session
   * names the same few files again and again.
   */
  stored: (path: string) => string | null;
  context: ValueContext;
}

/** Makes turn entries: takes secrets out, shortens tool calls, and brings paths into their stored form. */
export class EntryMaker {
  readonly #redact: (text: string) => string;
  readonly #rootsOf: RootsOf;
  readonly #directories = new Map<string | null, Directory>();

  constructor(redact: (text: string) => string, rootsOf: RootsOf) {
    this.#redact = redact;
    this.#rootsOf = rootsOf;
  }

  clean = (text: string): string => this.#redact(removeInjected(text));

  prompt(entry: Entry, lineIndex: number, text: string): TurnEntry {
    const cleaned = this.clean(text);
    const mentions = mentionedPaths(cleaned).flatMap((path): FileMention[] => {
      const filePath = this.#directory(entry.cwd).stored(path);
      return filePath === null ? [] : [{ filePath, toolName: "mention" }];
    });
    const made = blank(entry, lineIndex, "user");
    addText(made, cleaned);
    return { ...made, mentions };
  }

  assistant(entry: Entry, lineIndex: number, content: Content): TurnEntry {
    const made = blank(entry, lineIndex, "assistant");
    for (const { text, isThinking } of content.texts) addText(made, this.clean(text), isThinking);
    if (content.toolUses.length === 0) return made;
    const { stored, context } = this.#directory(entry.cwd);
    for (const use of content.toolUses) {
      const summary = toolSummary(use, context);
      if (summary !== null) made.toolSummary.push(summary);
      made.mentions.push(...toolMentions(use, stored, this.clean));
    }
    return made;
  }

  /** A text that Claude Code wrote, such as a recap. */
  note(entry: Entry, lineIndex: number, speaker: "user" | "assistant", text: string): TurnEntry {
    const made = blank(entry, lineIndex, speaker);
    addText(made, this.clean(text));
    return made;
  }

  results(entry: Entry, lineIndex: number, content: Content): TurnEntry {
    const errors = content.toolResults.flatMap((result) =>
      result.isError ? (failureText(result.text, this.clean) ?? []) : [],
    );
    return { ...blank(entry, lineIndex, "tool"), errors };
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

function blank(entry: Entry, lineIndex: number, speaker: TurnEntry["speaker"]): TurnEntry {
  return {
    uuid: entry.uuid,
    lineIndex,
    speaker,
    texts: [],
    toolSummary: [],
    errors: [],
    mentions: [],
    commits: [],
  };
}

function addText(entry: TurnEntry, text: string, isThinking = false): void {
  const trimmed = text.trim();
  if (trimmed !== "") entry.texts.push({ text: trimmed, isThinking });
}

/** True when there is nothing in the entry that a turn could show or remember. */
export function isEmpty(entry: TurnEntry): boolean {
  const { texts, toolSummary: summary, errors, mentions, commits } = entry;
  return texts.length + summary.length + errors.length + mentions.length + commits.length === 0;
}
