import { relative } from "node:path";
import { NOTE } from "../../constants.ts";
import { lazyEmbedder } from "../../embed/optional.ts";
import { MementorError } from "../../errors.ts";
import { writeAtomic } from "../../io/write.ts";
import {
  activePromotions,
  type PromoteTo,
  promoteTarget,
  readPromotions,
  recordPromotions,
  removePromotedLines,
  withLine,
} from "../../project/promote.ts";
import { isRunByAgent } from "../../recall/across/asker.ts";
import type { Runtime } from "../../runtime.ts";
import type { ReadStore } from "../../store/store.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { defineCommand } from "../command-line/command.ts";
import { flag, jsonOption, labelSchema, oneOf, valued, wordsArgument } from "../command-line/option.ts";
import { findTurn, isTurnNumber, unknownTurn } from "../named-turns.ts";
import { askNumber, canAsk, confirm, declined, unlessInterrupted } from "../terminal/ask.ts";
import { printResult, screenOf } from "../terminal/view.ts";
import type { PromotedLine } from "./note/line.ts";

export const command = defineCommand({
  name: "note",
  help: { group: "Teach", position: 1 },
  summary: "Store a decision of yours, or put what was said into CLAUDE.md",
  arguments: { text: wordsArgument("text") },
  options: {
    to: valued(
      "file",
      "With a turn's number as the text: write what it says into CLAUDE.md or AGENTS.md",
      oneOf(["CLAUDE.md", "AGENTS.md"]),
    ),
    about: valued("words", "With --to: choose the sentence that is most about these words", labelSchema()),
    print: flag("With --to: print the line, and write nothing"),
    undo: flag("With a turn's number as the text: remove its line again"),
    yes: flag("With --to: do not ask", "y"),
    json: jsonOption,
  },
  examples: [
    'mementor note "We keep the API synchronous: clients may retry"',
    "git log -1 --format=%B | mementor note -",
    "mementor note 42 --to CLAUDE.md",
    "mementor note 42 --undo",
    "mementor recent --from note",
  ],
  async run({ args: { text }, options }, runtime) {
    const { to, about, print, undo, yes } = options;
    if (print && undo) throw new MementorError("usage", '"--print" and "--undo" cannot be combined.');
    if (undo) return demote(text, options, runtime);
    if (to !== undefined) return promote(text, { ...options, to }, runtime);
    if (about !== undefined || print || yes)
      throw new MementorError("usage", "--about, --print and --yes are for --to.", {
        hint: "mementor note 42 --to CLAUDE.md --print",
      });
    return note(text, options, runtime);
  },
});

/** The argument for standard input. */
const STDIN = "-";
/** Maximum bytes to read: up to four for each character, and some more, so that a longer text is rejected and not truncated. */
const MAX_BYTES = 4 * NOTE.maxChars + 4_096;

/**
 * Stores a note; `-` reads it from stdin. A note from an agent's shell counts as the agent's. Rejects with `usage` if it is too
 * long.
 */
async function note(typed: string, options: { json: boolean }, runtime: Runtime): Promise<number> {
  const { noteJson, renderNote, saveNote } = await import("../../mcp/save-note.ts");
  const text = typed === STDIN ? await fromStdin(runtime) : typed;
  await using embedder = embedderOf(runtime);
  const author = (await isRunByAgent(runtime)) ? "agent" : "user";
  const saved = await saveNote(runtime, { text, author, by: "command", embed: embedder.embed });
  return printResult(runtime, options, noteJson(saved, author), (_, { program }) =>
    renderNote(saved, author, program),
  );
}

async function fromStdin({ host }: Runtime): Promise<string> {
  const bytes = await unlessInterrupted(host, host.stdin.read(MAX_BYTES));
  if (bytes === null)
    throw new MementorError("usage", `The note has more than ${NOTE.maxChars} characters.`, {
      hint: "Write down the decision and its reason, and name the file that holds the rest.",
    });
  return new TextDecoder().decode(bytes);
}

function embedderOf(runtime: Runtime) {
  let opened: ReturnType<typeof lazyEmbedder> | null = null;
  return {
    async embed(text: string, { models }: ReadStore): Promise<Float32Array | null> {
      const model = (await models.active())?.id;
      opened ??= lazyEmbedder(
        () => runtime.openEmbedder("prompt", model),
        async (error) => (await runtime.log()).warn("embedder", { error }),
      );
      return opened.embed(text);
    },
    [Symbol.asyncDispose]: async () => opened?.close(),
  };
}

interface PromoteOptions {
  to: PromoteTo;
  about?: string | undefined;
  print: boolean;
  yes: boolean;
  json: boolean;
}

/**
 * Writes a statement of a turn into the project's instructions. Returns the exit code. Throws `usage` for a turn that cannot be
 * promoted, and if the user must be asked but cannot be.
 */
async function promote(typed: string, options: PromoteOptions, runtime: Runtime): Promise<number> {
  const { host, project } = runtime;
  const directory = directoryOf(runtime);
  const turn = await turnOf(typed, runtime);
  const { turnId } = turn;
  const already = activePromotions(directory, project.worktreeRoot).find((each) => each.turnId === turnId);
  if (already !== undefined && !options.print) {
    const said = `Turn ${turnId} is already in ${already.name}.\n`;
    return printResult(runtime, options, { turn_id: turnId, file: already.name, written: false }, () => said);
  }
  const line = await lineFor(turn, options, runtime);
  if (line === null) return declined(host, NOTHING_WRITTEN);
  if (options.print)
    return printResult(runtime, options, { turn_id: turnId, line, written: false }, () => `${line}\n`);
  return confirmAndWrite({ turn, line, directory }, options, runtime);
}

function directoryOf({ memory: { directory } }: Runtime): string {
  if (directory !== null) return directory;
  throw new MementorError(
    "usage",
    "A turn can only be promoted from the memory of its project, not with --db.",
  );
}

interface Promoted {
  turn: StoredTurn;
  line: string;
  /** The memory's. */
  directory: string;
}

/** Shows the line and its file, asks for consent, and writes it. */
async function confirmAndWrite(
  { turn, line, directory }: Promoted,
  { to, yes, json }: PromoteOptions,
  runtime: Runtime,
): Promise<number> {
  const { renderAddition, renderPromoted } = await import("./note/line.ts");
  const { host, project } = runtime;
  const { turnId, sessionId, createdAt } = turn;
  const target = promoteTarget(project.worktreeRoot, to);
  const path = shownPath(target.path, project.worktreeRoot);
  const isNew = target.content === null;
  if (!json) host.stdout.write(renderAddition(path, line, isNew, screenOf(runtime).style));
  if (!yes && !(await confirm(host, "Write it?"))) return declined(host, NOTHING_WRITTEN);
  const { content, added } = withLine(target.content ?? new Uint8Array(), line);
  const others = readPromotions(directory).filter((each) => each.turnId !== turnId || each.name !== to);
  // Records the line first: a record without a line is harmless, but a line without a record could not be removed.
  recordPromotions(directory, [...others, { turnId, sessionId, createdAt, name: to, isNew, ...added }]);
  writeAtomic(target.path, content);
  const written = { turn_id: turnId, file: to, line, written: true };
  return printResult(runtime, { json }, written, (_, { program }) => renderPromoted(turnId, path, program));
}

const NOTHING_WRITTEN = "Nothing was written.";
async function turnOf(typed: string, runtime: Runtime): Promise<StoredTurn> {
  await using store = await runtime.openStore("readonly");
  const turn = await findTurn(store.search, typed);
  if (turn !== null) return turn;
  throw isTurnNumber(typed) ? unknownTurn(typed) : notATurnNumber(typed);
}

function notATurnNumber(typed: string): MementorError {
  return new MementorError("not_found", `${JSON.stringify(typed)} is not the number of a turn.`, {
    hint: 'Run "mementor recent" or "mementor told" for a list of turns.',
  });
}

/** Returns the line for a turn, or the user's choice if the turn states no rule; null if the user quits. */
async function lineFor(
  turn: StoredTurn,
  { about = "", print, yes, json }: PromoteOptions,
  runtime: Runtime,
): Promise<string | null> {
  const { line, isSure, choices } = await lineOf(turn, about);
  if (print) return line;
  const isUnseen = yes || json;
  if (isUnseen && !isSure) throw noRuleError(turn.turnId);
  return !isUnseen && choices.length > 0 && canAsk(runtime.host) ? chooseLine(choices, runtime) : line;
}

/** Returns the error for a line without a rule, which nobody would review before it is written. */
function noRuleError(turnId: number): MementorError {
  return new MementorError("usage", `No sentence of turn ${turnId} states a rule, a decision or a reason.`, {
    hint: `Name what it is to be about: mementor note ${turnId} --to CLAUDE.md --about <words>. At a terminal, without --yes, you may choose a sentence.`,
  });
}

/** Asks the user to choose a line; null if the user quits. */
async function chooseLine(choices: readonly string[], { host }: Runtime): Promise<string | null> {
  const { renderChoices } = await import("./note/line.ts");
  host.stdout.write(renderChoices(choices));
  const at = await askNumber(host, "Which one?", choices.length);
  return at === null ? null : (choices[at - 1] ?? null);
}

async function lineOf(turn: StoredTurn, about: string): Promise<PromotedLine> {
  const { promotedLine, renderRefusal } = await import("./note/line.ts");
  const made = promotedLine(turn, about);
  if ("line" in made) return made;
  const { message, hint } = renderRefusal(turn.turnId, made.refusal, about);
  throw new MementorError(made.refusal === "not-about" ? "not_found" : "usage", message, { hint });
}

/** Returns the path relative to the project, or the absolute path if a link leads out of it. */
function shownPath(path: string, root: string): string {
  const way = relative(root, path);
  return way.startsWith("..") ? path : way;
}

/**
 * Removes a turn's line from the project's instructions, and reports if there is none. The turn itself may be gone. Returns the
 * exit code.
 */
function demote(typed: string, options: { json: boolean }, runtime: Runtime): number {
  const { project } = runtime;
  const directory = directoryOf(runtime);
  if (!isTurnNumber(typed)) throw notATurnNumber(typed);
  const turnId = Number(typed);
  const own = readPromotions(directory).filter((each) => each.turnId === turnId);
  const files = removePromotedLines(own, directory, project.worktreeRoot).map(({ name }) => name);
  const said =
    files.length > 0
      ? `Removed the line of turn ${turnId} from ${files.join(" and ")}.\n`
      : `The project's instructions contain no line of turn ${turnId}.\n`;
  return printResult(runtime, options, { turn_id: turnId, files, removed: files.length > 0 }, () => said);
}
