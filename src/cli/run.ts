import { resolve } from "node:path";
import { BUSY_TIMEOUT_MS } from "../constants.ts";
import { MementorError, toMementorError } from "../errors.ts";
import { fixedTime, type Host, type Output, TIME_VARIABLE, transformOutput } from "../host.ts";
import { ioError } from "../io/errors.ts";
import { statIfExists } from "../io/read.ts";
import { dropUntrustedVariables } from "../project/planted.ts";
import { Runtime } from "../runtime.ts";
import { bidiIsolated, hasUtf8Locale } from "../text/invisible.ts";
import { fitToWidth } from "../text/width.ts";
import { COMMIT, LIBRARIES, TARGET, VERSION, VERSION_LINE } from "../version.ts";
import type { Command } from "./command-line/command.ts";
import { optionError, unknownCommand } from "./command-line/mistakes.ts";
import { findCommand, loadCommands, type ParsedLine, parseLine } from "./command-line/parse.ts";
import type { printHelp } from "./help/help.ts";
import { asciiHost, renderError } from "./terminal/screen.ts";

/** Exit codes. 64 is EX_USAGE of sysexits. Never 2, which would block Claude Code. */
const EXIT = { ok: 0, error: 1, usage: 64 } as const;

/** Runs one command line and returns its exit code, which is never 0 if some output could not be written. */
export async function runCli(host: Host): Promise<number> {
  const exitCode = await exitCodeOf(host, () => dispatch(host));
  const { failure } = host.stdout;
  if (failure === undefined) return exitCode;
  const unwritten = await exitCodeOf(host, () =>
    Promise.reject(ioError(failure, "write to standard output")),
  );
  return exitCode || unwritten;
}

/** Returns the exit code of `run`, and reports its error. */
async function exitCodeOf(host: Host, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const failure = toMementorError(error);
    // An interrupted command needs no error message.
    if (failure.code === "interrupted") return stopCode(host.interrupted());
    terminalHost(host).stderr.write(renderError(failure, host.stderr, host.env));
    return failure.code === "usage" ? EXIT.usage : EXIT.error;
  }
}

/** Returns the exit code that shells report for a program stopped by this signal. */
function stopCode({ reason }: AbortSignal): number {
  return typeof reason === "number" ? reason : EXIT.error;
}

async function dispatch(host: Host): Promise<number> {
  checkFixedTime(host);
  if (host.argv[0] === "complete") return printCompletions(host);
  const called = await findCommand(host.argv);
  if (called === null) return withoutCommand(terminalHost(host), parseLine(host.argv, null));
  const { command, parsed } = called;
  const { options, mistakes } = parsed;
  if (options.help === true) return showCommandHelp(terminalHost(host), command);
  const [mistake] = mistakes;
  if (mistake) throw optionError(mistake, command);
  const isData = options.json === true || command.printsData?.(parsed, host.stdout.isTerminal) === true;
  const runtime = await runtimeFor(readableHost(host, isData), options, command);
  if (!command.isConfined) await runtime.settleMemory(BUSY_TIMEOUT_MS.command, () => host.interrupted());
  return command.run(parsed, runtime);
}

/** Prints completions for the cursor of a shell; nothing if finding them fails. */
async function printCompletions(host: Host): Promise<number> {
  const { completeLine } = await import("./command-line/complete.ts");
  const typed = host.argv.slice(1).map((word) => word.replace(/^~(?=\/|$)/, host.homeDir));
  const offers = completeLine(typed, (options, command) => runtimeFor(host, options, command));
  host.stdout.write(await offers.catch(() => ""));
  return EXIT.ok;
}

/** Returns the host with output for the terminal's characters and width; writes data unchanged. */
function readableHost(host: Host, isData: boolean): Host {
  const fitting = terminalHost(host);
  if (isData) return { ...fitting, stdout: host.stdout };
  return hasUtf8Locale(host.env) ? fitting : asciiHost(fitting);
}

function checkFixedTime({ env }: Host): void {
  if ((env[TIME_VARIABLE] ?? "") === "" || fixedTime(env) !== null) return;
  throw new MementorError("usage", `${TIME_VARIABLE} is not a time: "${env[TIME_VARIABLE]}".`, {
    hint: "Write it like 2026-03-04T10:22:00Z, or unset it.",
  });
}

/** Returns the runtime of the project or database that the global options name. */
async function runtimeFor(
  host: Host,
  { db, project, insecure }: ParsedLine["options"],
  command: Command,
): Promise<Runtime> {
  const isInsecure = insecure === true;
  if (typeof db === "string" && /^postgres(?:ql)?:/i.test(db))
    return teamRuntime(host, db, { project: typeof project === "string" ? project : null, isInsecure });
  if (isInsecure && !command.usesTeamServer)
    throw new MementorError("usage", "--insecure is for a team's server, and the command line names none.", {
      hint: "Leave it out, or name one: --db postgres://user@host/name",
    });
  if (typeof db === "string" && typeof project === "string")
    throw new MementorError("usage", "--db and --project exclude each other.", {
      hint: "--db names a database file, --project the directory of a project with a memory.",
    });
  if (typeof db === "string") return new Runtime(host, { databaseFile: db, memoryOptions: ["--db", db] });
  if (typeof project !== "string") return new Runtime(host, { isInsecure });
  const isDirectory = statIfExists(resolve(host.cwd, project))?.isDirectory() === true;
  if (!isDirectory && command.usesTeamServer) return new Runtime(host, { teamProject: project, isInsecure });
  // Skips `enable`, by which a person confirms that a registry is their own, wherever it is.
  if (command.name !== "enable") await dropUntrustedVariables(host, resolve(host.cwd, project));
  return new Runtime(hostAt(host, project), { memoryOptions: ["-C", project], isInsecure });
}

/** Returns the runtime of a team's database. Throws `usage` for a URL with a password, which other programs could read. */
async function teamRuntime(
  host: Host,
  url: string,
  { project, isInsecure }: { project: string | null; isInsecure: boolean },
): Promise<Runtime> {
  const { withoutPassword } = await import("../store/postgres/client/target.ts");
  const { serverWords } = await import("../sync/team/settings.ts");
  const databaseUrl = withoutPassword(url);
  const memoryOptions = serverWords({ url: databaseUrl, isInsecure }, project);
  return new Runtime(host, {
    databaseUrl,
    memoryOptions,
    isInsecure,
    teamProject: project ?? undefined,
  });
}

async function withoutCommand(host: Host, { words, options, mistakes }: ParsedLine): Promise<number> {
  const [typed, named] = words;
  const topic = named === "help" ? undefined : named;
  if (typed !== undefined && typed !== "help") throw unknownCommand(typed, await loadCommands());
  refuseJsonHelp(options);
  const [mistake] = options.help === true ? [] : mistakes;
  if (mistake) throw optionError(mistake, null);
  const isHelp = named !== undefined || options.man === true || options.help === true;
  if (isHelp)
    return showHelp(host, { topic, isManual: options.man === true, pager: options.pager !== false });
  if (typed === undefined && Object.keys(options).every((name) => HOME_OPTIONS.has(name)))
    return showHomeOf(host, options);
  if (options.version !== true) return showHelp(host, { topic, isManual: false, pager: false });
  if (options.json === true) return showVersions(host);
  host.stdout.write(`${VERSION_LINE}\n`);
  return EXIT.ok;
}

/** Options that, without a command, still show the project's home screen. */
const HOME_OPTIONS = new Set(["project", "pager"]);

async function showHomeOf(host: Host, { project }: ParsedLine["options"]): Promise<number> {
  const { isHookInput, showHome } = await import("./home.ts");
  if (await isHookInput(host.stdin)) return EXIT.ok;
  if (typeof project === "string") await dropUntrustedVariables(host, resolve(host.cwd, project));
  const readable = hasUtf8Locale(host.env) ? host : asciiHost(host);
  return typeof project === "string"
    ? showHome(hostAt(readable, project), ["-C", project])
    : showHome(readable);
}

/** Returns the host with a project's directory as working directory. Throws `not_found` if it does not exist. */
function hostAt(host: Host, project: string): Host {
  const cwd = resolve(host.cwd, project);
  if (statIfExists(cwd)?.isDirectory() === true) return { ...host, cwd };
  throw new MementorError("not_found", `There is no directory ${cwd}.`, {
    hint: "-C names the directory of a project.",
  });
}

function refuseJsonHelp({ json, version }: ParsedLine["options"]): void {
  if (json !== true || version === true) return;
  throw new MementorError("usage", "Help is text only.", {
    hint: "--json prints the versions with --version, and the data of commands that have some.",
  });
}

async function showVersions(host: Host): Promise<number> {
  const { renderResult } = await import("./terminal/view.ts");
  host.stdout.write(renderResult(await versions(host)));
  return EXIT.ok;
}

/** Returns the versions of this program and of its parts. Loads and unpacks no library. */
async function versions(host: Host) {
  const { openAssets } = await import("../assets/packed-assets.ts");
  const { BGE_SMALL } = await import("../embed/embedder.ts");
  const { sqliteFacts } = await import("../store/sqlite/file/health.ts");
  const { assetPlaces } = await import("../user-paths.ts");
  const assets = openAssets(assetPlaces(host, false, () => {}));
  const isNative = assets.has("ort-binding");
  return {
    version: VERSION,
    commit: COMMIT,
    target: TARGET,
    bun: Bun.version,
    sqlite: sqliteFacts(null).version,
    sqliteVec: assets.has("sqlite-vec") ? LIBRARIES["sqlite-vec"] : null,
    onnxruntime: {
      version: LIBRARIES[isNative ? "onnxruntime-node" : "onnxruntime-web"],
      runtime: isNative ? "native" : "wasm",
    },
    model: BGE_SMALL.id,
  };
}

async function showHelp(host: Host, wanted: Parameters<typeof printHelp>[1]): Promise<number> {
  const { printHelp } = await import("./help/help.ts");
  await printHelp(host, wanted);
  return EXIT.ok;
}

async function showCommandHelp(host: Host, command: Command): Promise<number> {
  const { printCommandHelp } = await import("./help/help.ts");
  printCommandHelp(host, command);
  return EXIT.ok;
}

/**
 * Returns the host that writes every text for people: fitted to the terminal's width, with right-to-left text isolated. Leaves
 * lines written as `whole` for the terminal to break, so that they are copied unbroken.
 */
function terminalHost(host: Host): Host {
  const mark = hasUtf8Locale(host.env) ? "…" : "...";
  return { ...host, stdout: fitting(host.stdout, mark), stderr: fitting(host.stderr, mark) };
}

function fitting(output: Output, mark: string): Output {
  return transformOutput(output, (text, form) => {
    const { columns } = output;
    const isAsItIs = columns === null || form === "whole";
    return isAsItIs ? text : bidiIsolated(fitToWidth(text, columns, mark));
  });
}
