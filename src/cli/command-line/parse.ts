import { cac } from "cac";
import { COMMANDS } from "../commands/index.ts";
import type { Command, TypedLine } from "./command.ts";
import {
  ACCEPTED_OPTIONS,
  CONFINED_OPTIONS,
  GLOBAL_OPTIONS,
  longName,
  type Option,
  type Options,
  PROGRAM_OPTIONS,
} from "./option.ts";

/** A mistake in an option as typed. */
export interface Mistake {
  kind: "unknown" | "needs-value" | "takes-no-value" | "twice" | "both-ways";
  /** With its dashes. */
  flag: string;
  /** True if a word that begins with a dash stands where its value should. */
  isBeforeDash?: boolean;
}

/** A command line as it was parsed for a command, or for none. */
export interface ParsedLine extends TypedLine {
  /** True if the first word names the command. Then `words` does not include it. */
  isMatch: boolean;
  mistakes: readonly Mistake[];
}

/**
 * Parses a command line for a command, or for no command when `command` is null. cac knows the command's names and is
 * asked with the word as typed. It would turn `0012` into 12, drop an empty value, and take a text that begins with a
 * dash for an option. So `readWords` reads the rest.
 */
export function parseLine(argv: readonly string[], command: Command | null): ParsedLine {
  const own = command ? { ...ACCEPTED_OPTIONS, ...command.options } : PROGRAM_OPTIONS;
  const globals = command?.isConfined ? CONFINED_OPTIONS : GLOBAL_OPTIONS;
  const { words, options, flags, mistakes } = readWords(argv, { ...globals, ...own });
  const [first, ...rest] = words;
  const isMatch = command !== null && first !== undefined && isCalled(command, first);
  const named = { options: Object.fromEntries(options), flags: Object.fromEntries(flags) };
  return { isMatch, words: isMatch ? rest : words, ...named, mistakes };
}

function isCalled({ name, summary, aliases = [] }: Command, word: string): boolean {
  const known = cac("mementor").command(name, summary);
  for (const alias of aliases) known.alias(alias);
  return known.isMatched(word);
}

/**
 * Finds the command that a command line calls. Options may come before the command, and only the command knows which
 * of its options take a value. So each word that names a command is tried.
 */
export async function findCommand(
  argv: readonly string[],
): Promise<{ command: Command; parsed: ParsedLine } | null> {
  for (const word of new Set(argv)) {
    const command = await loadCommand(word);
    if (command === null) continue;
    const parsed = parseLine(argv, command);
    if (parsed.isMatch) return { command, parsed };
  }
  return null;
}

/** Returns an option and its name by a flag as typed: `-n` or `--limit`; nothing for one that is not known. */
export function optionNamed(flag: string, options: Options): [string, Option] | [] {
  const typed = flag.replace(/^-+/, "");
  return (
    Object.entries(options).find(([name, { short }]) => longName(name) === typed || short === typed) ?? []
  );
}

/** What stands in a command line. */
interface CommandLine {
  words: string[];
  /** By option, in camel case: its value, or whether a flag is on. */
  options: Map<string, string | boolean>;
  /** By option, in camel case: how one with a value was typed, with its dashes. */
  flags: Map<string, string>;
  mistakes: Mistake[];
}

/**
 * Splits a command line into words and options. `-k3`, `-k 3`, `--limit 3` and `--limit=3` mean the same. Only the
 * options say which of them take a value, so a flag never takes the next word. Everything after `--` is a word.
 */
function readWords(argv: readonly string[], options: Options): CommandLine {
  const end = argv.indexOf("--");
  const pending = end < 0 ? [...argv] : argv.slice(0, end);
  const line: CommandLine = { words: [], options: new Map(), flags: new Map(), mistakes: [] };
  const reading = { pending, options, line };
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (IS_TEXT.test(next)) line.words.push(next);
    else if (next.startsWith("--")) readLong(next, reading);
    else if (next.startsWith("-") && next !== "-") readShort(next, reading);
    else line.words.push(next);
  }
  if (end >= 0) line.words.push(...argv.slice(end + 1));
  return line;
}

/** A quoted text that begins with a dash, such as "- what is left?". */
const IS_TEXT = /^--?\s/;

interface Reading {
  /** Words that are still to be read. An option takes its value from here. */
  pending: string[];
  options: Options;
  line: CommandLine;
}

function readLong(word: string, reading: Reading): void {
  const [, flag = word, value] = /^(--[^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  for (const [name, option] of Object.entries(reading.options)) {
    const isOn = flag === `--${longName(name)}`;
    const isOff = option.off !== undefined && flag === `--no-${longName(name)}`;
    if (isOn && option.value !== undefined) {
      take(name, flag, value, reading);
      return;
    }
    if (isOff || (isOn && option.description !== null)) {
      if (value !== undefined) complain("takes-no-value", flag, reading);
      set(name, flag, isOn, reading);
      return;
    }
  }
  complain("unknown", flag, reading);
}

/** Switches an option on or off: once, as long as both ways are not asked for. */
function set(name: string, flag: string, isOn: boolean, reading: Reading): void {
  if (reading.line.options.get(name) === !isOn) complain("both-ways", flag, reading);
  reading.line.options.set(name, isOn);
}

/** Reads `-y`, several flags in one word (`-fy`), and a value that follows its letter (`-k3`). */
function readShort(word: string, reading: Reading): void {
  for (let index = 1; index < word.length; index++) {
    const letter = word[index] ?? "";
    const [name, option] = optionOf(letter, reading.options) ?? optionOf(SAME[letter], reading.options) ?? [];
    if (name === undefined || option === undefined) {
      complain("unknown", index === 1 ? word : `-${letter}`, reading);
      return;
    }
    if (option.value !== undefined) {
      const rest = word.slice(index + 1);
      take(name, `-${letter}`, rest === "" ? undefined : rest.replace(/^=/, ""), reading);
      return;
    }
    reading.line.options.set(name, true);
  }
}

/** Letters for how many results are wanted: a command that has one of them takes the other, too. */
const SAME: Readonly<Record<string, string>> = { k: "n", n: "k" };

function optionOf(letter: string | undefined, options: Options): [string, Options[string]] | null {
  const found = Object.entries(options).find(([, { short }]) => short !== undefined && short === letter);
  return found ?? null;
}

/** Records the value of an option: the one in the same word, else the next word. */
function take(name: string, flag: string, given: string | undefined, reading: Reading): void {
  const { pending, line } = reading;
  // "-3" is a number, not an option; the option's schema rejects it with a reason.
  const isNextValue =
    pending[0] !== undefined && (!pending[0].startsWith("-") || /^-(?:\d|$)/.test(pending[0]));
  const value = given ?? (isNextValue ? pending.shift() : undefined);
  if (value === undefined)
    line.mistakes.push({ kind: "needs-value", flag, isBeforeDash: pending.length > 0 });
  else if (line.options.has(name))
    complain("twice", line.flags.get(name) === flag ? flag : `--${longName(name)}`, reading);
  else {
    line.options.set(name, value);
    line.flags.set(name, flag);
  }
}

function complain(kind: Mistake["kind"], flag: string, { line }: Reading): void {
  line.mistakes.push({ kind, flag });
}

/** Loads the command that a word calls, by its name or an alias; null when there is none. */
export async function loadCommand(word: string): Promise<Command | null> {
  const load = COMMANDS.get(word);
  return load ? (await load()).command : null;
}

/** Loads every command: for help, completions and suggestions. */
export async function loadCommands(): Promise<Command[]> {
  const loaded = await Promise.all([...COMMANDS.values()].map((load) => load()));
  return [...new Set(loaded.map(({ command }) => command))];
}
