import type { FileMention } from "../domain.ts";
import { removeInjected } from "../text/private.ts";
import type { Content, ToolUse } from "./content.ts";
import type { Entry } from "./entry.ts";
import { storedPath } from "./paths.ts";
import { failureText } from "./tools/failure.ts";
import { toolMentions } from "./tools/mentions.ts";
import { mentionedPaths } from "./tools/prompt-paths.ts";
import { toolSummary } from "./tools/summary.ts";
import type { RootsOf, TurnEntry } from "./transcript.ts";

const MAX_PATHS = 5_000;

/** Makes turn entries: takes secrets out, shortens tool calls, and brings paths into their stored form. */
export class EntryMaker {
  readonly #redact: (text: string) => string;
  readonly #rootsOf: RootsOf;
  readonly #roots = new Map<string, readonly string[]>();
  /** Stored forms of paths by directory and path: a session names the same few files again and again. */
  readonly #paths = new Map<string, string | null>();

  constructor(redact: (text: string) => string, rootsOf: RootsOf) {
    this.#redact = redact;
    this.#rootsOf = rootsOf;
  }

  clean = (text: string): string => this.#redact(removeInjected(text));

  prompt(entry: Entry, lineIndex: number, text: string): TurnEntry {
    const cleaned = this.clean(text);
    const mentions = mentionedPaths(cleaned).flatMap((path): FileMention[] => {
      const filePath = this.#stored(path, entry.cwd);
      return filePath === null ? [] : [{ filePath, toolName: "mention" }];
    });
    return { ...blank(entry, lineIndex, "user"), texts: nonEmpty([cleaned]), mentions };
  }

  assistant(entry: Entry, lineIndex: number, content: Content): TurnEntry {
    const stored = (path: string) => this.#stored(path, entry.cwd);
    const context = { clean: this.clean, path: (path: string) => stored(path) ?? this.clean(path) };
    return {
      ...blank(entry, lineIndex, "assistant"),
      texts: nonEmpty(content.texts.map(this.clean)),
      toolSummary: content.toolUses.flatMap((use) => toolSummary(use, context) ?? []),
      mentions: content.toolUses.flatMap((use: ToolUse) => toolMentions(use, stored, this.clean)),
    };
  }

  /** A text that Claude Code wrote, such as a recap. */
  note(entry: Entry, lineIndex: number, speaker: "user" | "assistant", text: string): TurnEntry {
    return { ...blank(entry, lineIndex, speaker), texts: nonEmpty([this.clean(text)]) };
  }

  results(entry: Entry, lineIndex: number, content: Content): TurnEntry {
    const errors = content.toolResults.flatMap((result) =>
      result.isError ? (failureText(result.text, this.clean) ?? []) : [],
    );
    return { ...blank(entry, lineIndex, "tool"), errors };
  }

  /** A path that holds a secret is not kept at all. */
  #stored(path: string, cwd: string | null): string | null {
    const key = `${cwd}\0${path}`;
    const known = this.#paths.get(key);
    if (known !== undefined) return known;
    const found = storedPath(path, cwd, this.#rootsAt(cwd));
    const stored = found !== null && this.clean(found) === found ? found : null;
    if (this.#paths.size >= MAX_PATHS) this.#paths.clear();
    this.#paths.set(key, stored);
    return stored;
  }

  #rootsAt(cwd: string | null): readonly string[] {
    if (cwd === null) return [];
    let roots = this.#roots.get(cwd);
    if (roots === undefined) {
      roots = this.#rootsOf(cwd);
      this.#roots.set(cwd, roots);
    }
    return roots;
  }
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

function nonEmpty(texts: readonly string[]): string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}

/** True when there is nothing in the entry that a turn could show or remember. */
export function isEmpty(entry: TurnEntry): boolean {
  const parts = [entry.texts, entry.toolSummary, entry.errors, entry.mentions, entry.commits];
  return parts.every((part) => part.length === 0);
}
