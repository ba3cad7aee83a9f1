import { MementorError } from "../../errors.ts";
import { closestWord } from "../../text/mistakes.ts";
import type { Command } from "./command.ts";
import { CONFINED_OPTIONS, GLOBAL_OPTIONS, longName, type Options } from "./option.ts";
import { type Mistake, optionNamed } from "./parse.ts";

/** Returns the error for a misused option, with a hint on how to write it. */
export function optionError({ kind, flag, isBeforeDash }: Mistake, command: Command | null): MementorError {
  const help = `Run "mementor ${command ? `${command.name} ` : ""}--help" for the options.`;
  switch (kind) {
    case "takes-no-value":
      return new MementorError("usage", `${flag} takes no value.`, { hint: `Write "${flag}" alone.` });
    case "needs-value": {
      const written = writtenWith(flag, { ...command?.options, ...GLOBAL_OPTIONS });
      const dash = `Where the value begins with a dash, write it with "=": ${flag}=-x.`;
      const hints = [written ?? (isBeforeDash ? null : help), isBeforeDash ? dash : null];
      return new MementorError("usage", `${flag} needs a value.`, {
        hint: hints.filter((hint) => hint !== null).join(" "),
      });
    }
    case "twice":
      return new MementorError("usage", `${flag} can be given only once.`, { hint: help });
    case "both-ways": {
      const name = flag.replace(/^--(?:no-)?/, "");
      return new MementorError("usage", `--${name} and --no-${name} exclude each other.`, { hint: help });
    }
    case "unknown": {
      if (command?.isConfined && BEYOND.test(flag)) return beyond(command, flag);
      const globals = command?.isConfined ? CONFINED_OPTIONS : GLOBAL_OPTIONS;
      const near = similarFlag(flag, { ...command?.options, ...globals });
      const hint = near === null ? help : `Did you mean "${near}"?`;
      return new MementorError("usage", `There is no option "${flag}".`, { hint });
    }
  }
}

/** Returns a hint on how to write an option with its value; null for an unknown option. */
function writtenWith(flag: string, options: Options): string | null {
  const [, option] = optionNamed(flag, options);
  return option?.value === undefined ? null : `Write ${flag} <${option.value}>: ${option.description}.`;
}

/** Options that reach beyond the project. A command that agents run without asking the user has none of them. */
const BEYOND = /^-(?:C|-(?:project|db|insecure|all-projects|team)(?:=|$))/;

function beyond({ name }: Command, flag: string | null): MementorError {
  const no = flag === null ? "" : ` It takes no ${/^-C/.test(flag) ? "-C" : flag}.`;
  return new MementorError("usage", `mementor ${name} reads this project only.${no}`, {
    hint: 'For other projects, or a server, run "mementor search", which may ask the user first.',
  });
}

/**
 * Finds the option that was probably meant: the same letter in the other case, a long name with one dash, or a
 * misspelled name.
 */
function similarFlag(flag: string, options: Options): string | null {
  const typed = flag.replace(/^-+/, "");
  if (typed.length === 1) {
    const same = Object.values(options).find(({ short }) => short?.toLowerCase() === typed.toLowerCase());
    return same?.short === undefined ? null : `-${same.short}`;
  }
  const names = Object.entries(options).flatMap(([name, { description, off }]) => [
    ...(description === null ? [] : [longName(name)]),
    ...(off === undefined ? [] : [`no-${longName(name)}`]),
  ]);
  const near = closestWord(typed, names);
  return near === null ? null : `--${near}`;
}

/** Other names that people type for our commands: those of other programs, and former ones. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ["version", "--version"],
  ["install", "enable"],
  ["init", "enable"],
  ["setup", "enable"],
  ["find", "search"],
  ["grep", "search"],
  ["ls", "recent"],
  ["history", "recent"],
  ["turns", "show <session> --turns"],
  ["related", "show <turn|session|path> --related"],
  ["resume", "show <turn|session> --resume"],
  ["prs", "commits --prs"],
  ["good", "mark good"],
  ["bad", "mark bad"],
  ["mute", "mark mute"],
  ["unmute", "mark mute --undo"],
  ["pin", "mark pin"],
  ["unpin", "mark pin --undo"],
  ["marks", "mark"],
  ["log", "told --log"],
  ["scan", "doctor --secrets"],
  ["prune", "forget --before <when> --prune"],
  ["unshare", "team unshare"],
  ["stats", "report --text"],
  ["promote", "note <turn> --to CLAUDE.md"],
]);

/**
 * Returns the error for an unknown command, with a suggestion. `pages` lists the documentation pages if `help` was asked for one.
 */
export function unknownCommand(
  typed: string,
  commands: readonly Command[],
  pages: readonly string[] = [],
): MementorError {
  const meant = MEANT.get(typed);
  if (meant !== undefined) {
    // Help covers a whole command, so the hint names no arguments.
    const named = pages.length > 0 && !meant.startsWith("-") ? `help ${meant.split(" ")[0]}` : meant;
    return new MementorError("usage", `There is no command "${typed}".`, {
      hint: `Did you mean "mementor ${named}"?`,
    });
  }
  const confined = commands.find(({ name, isConfined }) => isConfined && name === typed);
  // The command's name follows the value of an option that the command lacks.
  if (confined !== undefined) return beyond(confined, null);
  const names = commands.flatMap(({ name, aliases = [], help }) => (help ? [name, ...aliases] : []));
  const near = closestWord(typed, [...names, ...pages]);
  const help = pages.length > 0 ? "help " : "";
  return new MementorError("usage", `There is no command ${help && "and no page "}"${typed}".`, {
    hint: near
      ? `Did you mean "mementor ${help}${near}"?`
      : 'Run "mementor --help" for the list of commands.',
  });
}
