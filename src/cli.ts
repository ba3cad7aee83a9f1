import { type CAC, cac } from "cac";
import type { CommandInput, CommandSpec, OptionSpec } from "./commands/command.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "./commands/table.ts";
import { BUSY_TIMEOUT_MS } from "./constants.ts";
import { MementorError, toMementorError } from "./errors.ts";
import type { Host } from "./host.ts";
import { renderError } from "./render/error.ts";
import { renderCommandHelp, renderHelp } from "./render/help.ts";
import { styleFor } from "./render/style.ts";
import { Runtime } from "./runtime.ts";
import { closest } from "./text/closest.ts";
import { VERSION_LINE } from "./version.ts";

/** Exit codes: sysexits' 64 for wrong usage; never 2, which would block Claude Code. */
const EXIT = { ok: 0, error: 1, usage: 64 } as const;

/** Runs one command line and returns its exit code. */
export async function runCli(host: Host): Promise<number> {
  try {
    return await dispatch(host);
  } catch (error) {
    const failure = toUsageError(error);
    host.stderr.write(renderError(failure, host.stderr, host.env));
    return failure.code === "usage" ? EXIT.usage : EXIT.error;
  }
}

async function dispatch(host: Host): Promise<number> {
  const parser = buildParser(COMMANDS.filter((spec) => isNamed(spec, host.argv)));
  parser.parse(["", "", ...host.argv.map(protectValue)], { run: false });
  const spec = COMMANDS.find(({ name }) => name === parser.matchedCommand?.name);
  const input = inputOf(parser, spec);
  if (input.options.version === true && !spec) return print(host, `${VERSION_LINE}\n`);
  if (spec && input.options.help === true)
    return print(host, renderCommandHelp(spec, GLOBAL_OPTIONS, styleFor(host.stdout, host.env)));
  if (!spec) return withoutCommand(host, input);
  parser.matchedCommand?.checkUnknownOptions();
  parser.matchedCommand?.checkOptionValue();
  parser.matchedCommand?.checkRequiredArgs();
  parser.matchedCommand?.checkUnusedArgs();
  const run = await spec.load();
  const { db } = input.options;
  const runtime = new Runtime(host, typeof db === "string" ? { databaseFile: db } : {});
  await runtime.settleMemory(BUSY_TIMEOUT_MS.command, host.interrupted());
  return run(input, runtime);
}

/**
 * cac turns `0012` into 12, and takes a lone `-` after an option for no value; no argument can hold a NUL, so a leading
 * one keeps both a string until `plain`.
 */
function protectValue(argument: string): string {
  if (argument === "-") return "\0-";
  const [, flag = "", value = argument] = /^(--?[^=]+=)(.*)$/s.exec(argument) ?? [];
  return value !== "" && Number.isFinite(Number(value)) && !/^-/.test(value) ? `${flag}\0${value}` : argument;
}

function plain(value: unknown): string | boolean | string[] {
  if (Array.isArray(value)) return value.map((item) => String(plain(item)));
  return typeof value === "boolean" ? value : String(value).replace(/^\0/, "");
}

function isNamed({ name, aliases = [] }: CommandSpec, words: readonly string[]): boolean {
  return words.some((word) => word === name || aliases.includes(word));
}

/** Takes only the commands that a command line can mean: making all of them costs as much as a hello world. */
function buildParser(commands: readonly CommandSpec[]): CAC {
  const parser = cac("mementor");
  for (const { flags, description } of GLOBAL_OPTIONS) parser.option(flags, description);
  for (const spec of commands) {
    const command = parser.command(`${spec.name} ${spec.args}`.trim(), spec.summary).action(() => {});
    for (const alias of spec.aliases ?? []) command.alias(alias);
    for (const { flags, description } of spec.options) command.option(flags, description);
  }
  return parser;
}

function inputOf(parser: CAC, spec: CommandSpec | undefined): CommandInput {
  const { "--": rest = [], ...options } = parser.options;
  const known: OptionSpec[] = [...GLOBAL_OPTIONS, ...(spec?.options ?? [])];
  const entries = Object.entries(options).map(([name, value]): [string, string | boolean | string[]] => [
    name,
    plain(value),
  ]);
  const typed = new Set(parser.rawArgs);
  // For a `--no-x` cac says that x is true when nobody said anything.
  const isSaid = ([name, value]: [string, unknown]) =>
    value !== true || typed.has(`--${name}`) || !known.some(({ flags }) => flags.startsWith(`--no-${name}`));
  return {
    args: [...parser.args, ...(rest as string[])].map((argument) => String(plain(argument))),
    options: Object.fromEntries(entries.filter(isSaid)),
  };
}

function withoutCommand(host: Host, { args }: CommandInput): number {
  const [typed, topic] = args;
  const style = styleFor(host.stdout, host.env);
  if (typed === undefined || (typed === "help" && topic === undefined))
    return print(host, renderHelp(COMMANDS, GLOBAL_OPTIONS, style));
  if (typed !== "help") throw unknownCommand(typed);
  const spec = COMMANDS.find((command) => isNamed(command, [topic ?? ""]));
  if (!spec) throw unknownCommand(topic ?? "");
  return print(host, renderCommandHelp(spec, GLOBAL_OPTIONS, style));
}

function unknownCommand(typed: string): MementorError {
  const names = COMMANDS.filter(({ hidden }) => !hidden).flatMap(({ name, aliases = [] }) => [
    name,
    ...aliases,
  ]);
  const suggestion = closest(typed, names);
  return new MementorError("usage", `There is no command "${typed}".`, {
    hint: suggestion
      ? `Did you mean "mementor ${suggestion}"?`
      : 'Run "mementor --help" for the list of commands.',
  });
}

function print(host: Host, text: string): number {
  host.stdout.write(text);
  return EXIT.ok;
}

/** Of a mistyped option the nearest one that any command has. */
function usageHint(message: string): string {
  const [, typed] = /^Unknown option `--([\w-]+)/.exec(message) ?? [];
  const flags = [...GLOBAL_OPTIONS, ...COMMANDS.flatMap(({ options }) => options)];
  const names = flags.flatMap((option) => /--([\w-]+)/.exec(option.flags)?.[1] ?? []);
  const near = typed === undefined ? null : closest(typed, [...new Set(names)]);
  return near ? `Did you mean "--${near}"?` : 'Run the command with "--help" to see what it takes.';
}

function toUsageError(error: unknown): MementorError {
  if (error instanceof Error && error.name === "CACError") {
    const message = error.message.replaceAll("\0", "");
    return new MementorError("usage", message, { hint: usageHint(message) });
  }
  return toMementorError(error);
}
