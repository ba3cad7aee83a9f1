import * as v from "valibot";
import { agentName } from "../../agents/agent.ts";
import { oneLine } from "../../agents/notices.ts";
import { NOTE } from "../../constants.ts";
import { MementorError } from "../../errors.ts";
import { statIfExists } from "../../io/read.ts";
import { openToRead } from "../../recall/across/open-to-read.ts";
import { requireSession } from "../../recall/unknown.ts";
import type { Runtime } from "../../runtime.ts";
import type { SessionSummary } from "../../store/browse.ts";
import { authorOrOwn, filtersBut, type TypedFilter } from "../../store/filter.ts";
import type { BrowseStore } from "../../store/store.ts";
import { printable } from "../../text/invisible.ts";
import { programCommand, shWord } from "../../text/lines.ts";
import { defineCommand } from "../command-line/command.ts";
import {
  filterOptions,
  flag,
  LIST_ROWS,
  longName,
  requiredArgument,
  rows,
  viewOptions,
  wholeNumber,
} from "../command-line/option.ts";
import { findTurn } from "../named-turns.ts";
import { runOnTerminal } from "../terminal/ask.ts";
import { renderJson, view } from "../terminal/view.ts";

/** What can be shown in place of the text, of which a command line names one. */
const FORMS = ["raw", "turns", "related", "resume"] as const;

export const command = defineCommand({
  name: "show",
  help: { group: "Ask", position: 3 },
  summary: "Print a whole turn or session, its turns, what is related to it, or how to continue it",
  readsTeam: true,
  arguments: { wanted: requiredArgument("turn|session|path", v.string()) },
  options: {
    context: {
      value: "n",
      description: "Also show this many turns before and after it",
      schema: v.optional(wholeNumber(0, 1_000), "0"),
    },
    raw: flag("Print the original lines, while the transcript still exists"),
    thinking: flag("Show all that the assistant thought, not only the first line of each thought"),
    turns: flag("List the turns of a session, a line each"),
    related: flag(
      "List sessions that worked on the same files or discussed the same things; takes a path, too",
    ),
    limit: {
      ...rows,
      description: `With --related: maximum number of rows, those that are only similar too (default: ${LIST_ROWS} without these)`,
      schema: v.optional(rows.schema.wrapped),
    },
    resume: flag("Print the command that continues the session in its agent"),
    exec: flag("With --resume: run the command instead of printing it"),
    ...filterOptions("session"),
    ...viewOptions,
  },
  examples: [
    "mementor show 42 --context 2",
    "mementor show 1b7c0a52 --turns",
    "mementor show src/store.ts --related",
    "mementor show 42 --resume",
  ],
  printsData: ({ options }) => options.raw === true,
  async run({ args: { wanted }, options }, runtime) {
    checkForm(options);
    if (options.resume) {
      return printResumption(runtime, wanted, options);
    }
    return view(runtime, options, async (store) => {
      if (options.related)
        return (await import("./show/related.ts")).showRelated(store, wanted, options, runtime);
      if (options.turns)
        return (await import("./show/related.ts")).showTurns(store, wanted, options, runtime);
      return (await import("./show/text.ts")).showText(store, wanted, options);
    });
  },
});

/** Throws `usage` for two forms at once, and for an option that its form does not heed. */
function checkForm(
  options: TypedFilter & { [form in (typeof FORMS)[number]]: boolean } & {
    exec: boolean;
    limit?: number | undefined;
  },
): void {
  const [form, other] = FORMS.filter((name) => options[name]);
  if (form !== undefined && other !== undefined)
    throw new MementorError("usage", `--${form} and --${other} exclude each other.`, {
      hint: "Leave one of them out.",
    });
  if (options.exec && form !== "resume") throw onlyWith("exec", "--resume");
  if (options.limit !== undefined && form !== "related") throw onlyWith("limit", "--related");
  if (form === "turns" || form === "related") return;
  const heeded = form === "resume" ? ["author"] : [];
  const filter = filtersBut("session").find(
    (name) => (options[name] ?? false) !== false && !heeded.includes(name),
  );
  if (filter !== undefined) throw onlyWith(filter, "--turns and --related");
}

function onlyWith(option: string, form: string): MementorError {
  return new MementorError("usage", `--${longName(option)} is for ${form}.`, {
    hint: 'Run "mementor show --help" for the options.',
  });
}

/** How a session can be continued. */
interface Resumption {
  sessionId: string;
  /** Id of the agent. */
  client: string;
  /** The command line, word by word. */
  words: readonly string[];
  /** The session's directory: agents find a session only there. */
  directory: string | null;
  /** True if that directory does not exist, as after a move. */
  isGone: boolean;
  /** The member of the team on whose machine the session lies; null for this one. */
  author: string | null;
}

/** Prints the command that continues a session, or runs it. Resolves to the exit code. */
async function printResumption(
  runtime: Runtime,
  wanted: string,
  { author, exec, json }: { author?: string | null | undefined; exec: boolean; json: boolean },
): Promise<number> {
  const resumption = await findResumption(runtime, wanted, author ?? undefined);
  if (exec) return execute(resumption);
  const text = json ? renderJson(resumeJson(resumption)) : renderResume(resumption);
  runtime.host.stdout.write(text, "whole");
  return 0;
}

/**
 * Finds how to continue a session, named by one of its turns or by its id. It must be one's own, or that of `author`: a
 * member of the team, or `all`.
 *
 * @throws `usage` or `not_found` when it cannot be continued from here.
 */
async function findResumption(
  runtime: Runtime,
  wanted: string,
  author: string | undefined,
): Promise<Resumption> {
  await using store = await openToRead(runtime);
  const turn = await findTurn(store.search, wanted);
  const session = await requireSession(store.browse, turn?.sessionId ?? wanted);
  if (!(await isOf(session, author, store.browse))) throw notOf(session, author, readingOf(session, runtime));
  if (store.local === null && session.author === null) throw notOnServer(session);
  return resumptionOf(session, readingOf(session, runtime));
}

/** Tells whether the session is one's own, or has turns of `author` if one is given. */
async function isOf(
  { sessionId: session, author: holder }: SessionSummary,
  author: string | undefined,
  browse: BrowseStore,
): Promise<boolean> {
  if (author === undefined) return holder === null;
  const { total } = await browse.sessions({ ...authorOrOwn(author), session }, { limit: 0 });
  return total > 0;
}

/** Throws `not_found` where the agent could not continue the session: it keeps its sessions for a limited time. */
async function resumptionOf(session: SessionSummary, reading: string): Promise<Resumption> {
  const { containerOf, resumeCommand } = await import("../../agents/list.ts");
  const { sessionId, client, transcriptPath, projectDir, author, device } = session;
  const words = resumeCommand(client, sessionId);
  if (client === NOTE.client)
    throw new MementorError("usage", `${sessionId} is a note: it has no conversation to continue.`, {
      hint: `To read it, run: ${reading}`,
    });
  if (!SESSION_ID.test(sessionId)) throw notAnId(sessionId);
  if (words === null)
    throw new MementorError("usage", `${agentName(client)} has no command that continues a session.`);
  if (author !== null) return { sessionId, client, words, directory: null, isGone: false, author };
  if (transcriptPath === null && device !== undefined)
    throw new MementorError("not_found", `Session ${sessionId} was held on ${device}.`, {
      hint: `There, run: mementor show ${sessionId.slice(0, 8)} --resume. To read it here, run: ${reading}`,
    });
  if (transcriptPath === null)
    throw new MementorError("not_found", `Session ${sessionId} was not read from a transcript here.`, {
      hint: `${agentName(client)} can continue it only where it was held. To read it, run: ${reading}`,
    });
  if (!statIfExists(containerOf(transcriptPath)))
    throw new MementorError("not_found", `The transcript of session ${sessionId} is gone.`, {
      hint: `${agentName(client)} cannot continue it. Run "${reading}" to read what is kept of it.`,
    });
  const isGone = projectDir !== null && !statIfExists(projectDir)?.isDirectory();
  return { sessionId, client, words, directory: projectDir, isGone, author };
}

/** Characters of session ids. A colleague's id could otherwise be read as an option by the agent. */
const SESSION_ID = /^[A-Za-z0-9][\w.-]*$/;

function notAnId(sessionId: string): MementorError {
  return new MementorError("usage", `"${sessionId}" is no id that an agent gives a session.`, {
    hint: "It was made by hand: no command continues it.",
  });
}

/** The error for a session of one's own in a team's database, which knows neither transcripts nor directories. */
function notOnServer({ sessionId }: SessionSummary): MementorError {
  return new MementorError("usage", `The team's server does not know where session ${sessionId} was held.`, {
    hint: `On the machine where you held it, run: mementor show ${sessionId.slice(0, 8)} --resume`,
  });
}

/** The error for a session of somebody else than was asked for. */
function notOf(session: SessionSummary, wanted: string | undefined, reading: string): MementorError {
  const { sessionId, author } = session;
  if (wanted !== undefined)
    return new MementorError("not_found", `Session ${sessionId} is not of ${wanted}.`, {
      hint: author === null ? "It is yours: leave out --author." : `It was held by ${author}.`,
    });
  return new MementorError("usage", `Session ${sessionId} was held by ${author}, on another machine.`, {
    hint: `Run "${reading}" to read it. For the command to run there, add --author ${author}.`,
  });
}

/** The command that shows a session. */
function readingOf({ sessionId }: SessionSummary, { memoryOptions }: Runtime): string {
  return `${programCommand(memoryOptions)} show ${sessionId.slice(0, 8)}`;
}

/**
 * Runs the agent in the session's directory, on this terminal, and returns its exit code.
 *
 * @throws `usage` for a session of somebody else, `not_found` when the agent or the directory is gone.
 */
async function execute(resumption: Resumption): Promise<number> {
  const { words, directory, isGone, client, author } = resumption;
  if (author !== null)
    throw new MementorError("usage", `The session was held by ${author}, on another machine.`, {
      hint: "It can be continued only there. Without --exec, the command is printed.",
    });
  const [program = "", ...rest] = words;
  const found = Bun.which(program);
  if (found === null)
    throw new MementorError("not_found", `"${program}" is not in PATH.`, {
      hint: `Install the agent, or run this where it is installed: ${renderResume(resumption).trim()}`,
    });
  if (isGone)
    throw new MementorError("not_found", `The session's directory is gone: ${directory}`, {
      hint: `${agentName(client)} finds the session only there. Make the directory again to continue it.`,
    });
  return runOnTerminal([found, ...rest], directory === null ? {} : { cwd: directory });
}

/** A resumption as `--json` gives it. */
function resumeJson({ sessionId, client, words, directory, isGone, author }: Resumption) {
  return { session_id: sessionId, client, command: words, directory, directory_is_gone: isGone, author };
}

/** Renders the command line for a POSIX shell. What it needs first stands in a comment of the shell. */
function renderResume({ words, directory, client, isGone, author }: Resumption): string {
  const line = words.map(shWord).join(" ");
  if (author !== null)
    return `# On the machine of ${oneLine(author)}, in the clone of the project:\n${printable(line)}\n`;
  if (directory === null) return printable(`${line}\n`);
  const needs = isGone
    ? `# The directory is gone. ${agentName(client)} finds the session only there: make it again first.\n`
    : "";
  return printable(`${needs}cd ${shWord(directory)} && ${line}\n`);
}
