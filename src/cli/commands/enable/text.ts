import { agentName } from "../../../agents/agent.ts";
import type { IngestReport } from "../../../ingest/report.ts";
import type { AdoptRequest } from "../../../project/adopt.ts";
import { otherClient } from "../../../recall/telling/origin.ts";
import type { EnableResult } from "../../../setup/enable.ts";
import { printable } from "../../../text/invisible.ts";
import { shWord } from "../../../text/lines.ts";
import { contentsText, plural } from "../../../text/numbers.ts";
import { wrap } from "../../../text/width.ts";
import { renderApart } from "../../project-name.ts";
import { renderWhen, type Screen, type Style } from "../../terminal/screen.ts";
import { renderBytes, renderFacts } from "../../terminal/table.ts";
import { trustAdvice } from "./agent-lines.ts";
import type { DemoAnswer } from "./proof.ts";
import { leftAlone, SCOPE_WORDS } from "./writes.ts";

const MEMORY_WORDS: Record<EnableResult["memory"], string> = {
  created: "created",
  kept: "already there, kept",
  adopted: "adopted",
  none: "created in each project at its first conversation",
};

const INDENT = "    ";
/** Characters of an answer to show: three lines of a terminal. */
const ANSWER_CHARS = 200;

/** Renders what `enable` did to the project, before it reads any history. */
export function renderEnable(result: EnableResult, style: Style): string {
  const settings = result.settings.map(
    ({ file, change }) => `${printable(file)} (${change}; ${SCOPE_WORDS[result.scope]})`,
  );
  const notes = [
    ...result.movedFrom.map((file) => `the hooks were moved out of ${printable(file)}`),
    ...result.alsoIn.map((file) => `${printable(file)} has the same hooks; Claude Code runs them once`),
  ];
  return renderFacts([
    [style.green("Enabled"), [printable(result.root)]],
    ["Memory", [`${printable(result.memoryDirectory)} (${MEMORY_WORDS[result.memory]})`]],
    ["Hooks", settings],
    ["May ask", askLines(result)],
    ["Note", notes],
  ]);
}

/** Renders the settings that keep every hook from running, so that the memory speaks only when it is asked. */
export function renderStopped(files: readonly string[], style: Style): string {
  const lines = files.map(
    (file) => `${printable(file)} keeps all hooks from running: the memory only answers`,
  );
  return renderFacts([[style.red("Stopped"), lines]]);
}

/** Says whether Claude Code may ask the memory by itself, and by which settings. */
function askLines({ leave: { rules, files, tracked } }: EnableResult): string[] {
  if (rules.length === 0) return ['Claude Code will ask you before it runs "mementor recall"'];
  const may = `Claude Code may run "mementor recall" without asking you`;
  return [...files.map((file) => `${may} (${printable(file)})`), ...tracked.map(leftAlone)];
}

/** Renders the memory that a project is about to adopt. */
export function renderTaking({ from, formerRoot, holds }: AdoptRequest): string {
  const what = holds ? `${contentsText(holds)}, made by ${holds.madeBy}` : "nothing yet";
  return renderFacts([
    [
      "Takes",
      [
        printable(from),
        what,
        ...(formerRoot === null ? [] : [`of the project that was at ${printable(formerRoot)}`]),
      ],
    ],
  ]);
}

/** Renders why a project would not be enabled, and what to do. */
export function renderRefusal({ message, hint }: { message: string; hint: string }): string {
  return renderFacts([
    ["Moved", [printable(message)]],
    ["Next", [printable(hint)]],
  ]);
}

/** Renders the question before a memory is made for a directory that looks like no project. */
export function renderNoProjectQuestion(root: string): string {
  return `${printable(root)} is not in a repository, and does not look like a project. Make a memory for this directory? For another one: mementor -C DIR enable; for all your projects: mementor enable --scope user.`;
}

/** Says that the directory looks like no project, where nobody is there to be asked. */
export function renderNoProject(root: string, isDryRun: boolean): string {
  const does = isDryRun ? "would make" : "makes";
  return renderFacts([
    [
      "Note",
      [
        `${printable(root)} is not in a repository, and does not look like a project: this ${does} a memory for that directory`,
        "for another one: mementor -C DIR enable; for all your projects: mementor enable --scope user",
      ],
    ],
  ]);
}

/** Earlier conversations that were not read. */
export interface UnreadHistory {
  /** Number of conversations by id of the agent. */
  counts: Readonly<Record<string, number>>;
  bytes: number;
  /** True if others were read before. */
  isRest: boolean;
}

/** Renders what `enable` would read. */
export function renderPlannedReading(
  { counts, bytes, isRest }: UnreadHistory,
  when: "asked" | "now" | "later" | "no",
): string {
  const what = `${isRest ? "what is new in " : ""}${conversations(counts)} (${renderBytes(bytes)})`;
  const how = { asked: ", if you agree when asked", later: ", in the background", now: "", no: "" }[when];
  return renderFacts([["Reads", [`${what}${how}`]]]);
}

/** Renders the question whether to read the existing conversations. */
export function renderHistoryQuestion({ counts, bytes, isRest }: UnreadHistory): string {
  const what = isRest ? `what is new in ${conversations(counts)}` : conversations(counts);
  return `Read ${what} (${renderBytes(bytes)}) into the memory? It stays on this machine.`;
}

/** `12 earlier conversations`; where Claude Code is not the only agent, with how many of which: `... [Codex: 4, ...]`. */
function conversations(counts: Readonly<Record<string, number>>): string {
  const sum = Object.values(counts).reduce((a, b) => a + b, 0);
  const all = plural(sum, "earlier conversation");
  if (Object.keys(counts).every((id) => otherClient(id) === null)) return all;
  const each = Object.entries(counts).map(([id, count]) => `${agentName(id)}: ${count}`);
  return `${all} [${each.join(", ")}]`;
}

/** What `enable` did with earlier conversations. */
export interface EnabledHistory {
  found?: { sessions: number; agents: Readonly<Record<string, number>>; bytes: number };
  /** True if some transcripts had not been read before. */
  unread?: boolean;
  /** Null when it was not read. */
  report?: IngestReport | null;
  /** True if it is read in the background. */
  later?: boolean;
  interrupted?: boolean;
  /** A question that the memory surely answers; null or absent for none. */
  recall?: DemoAnswer | null;
  /** Why this machine cannot compute vectors; null when it can. */
  problem: string | null;
  /** The folder through which memories of other devices arrive; null or absent for none. */
  folder?: string | null;
  /** The folder for all projects, and what only the project's own files say that it is called there; absent for neither. */
  apart?: { root: string; directory: string; name: string } | null;
}

/** What happens in a project without earlier conversations. */
const FIRST_SESSION = [
  'When Claude has answered, prompt and answer are stored: "mementor recent" lists them.',
  "In later sessions Claude is told what was said before where that helps, and can ask.",
];
/** Passages that two idle cores embed in a minute, at 23 ms each. */
const PASSAGES_A_MINUTE = 2_600;
/** Column of the text beside "Next". */
const NEXT_COLUMNS = 10;

/**
 * Renders what `enable` read, what the memory answers now, and what to do next. `untrusted` are the agents that skip their
 * hooks until they are trusted.
 */
export function renderEnabled(
  history: EnabledHistory,
  untrusted: readonly string[],
  { style, now, width }: Screen,
): string {
  const facts = renderFacts([
    ["History", historyLines(history)],
    ["Sync", syncLines(history)],
    [
      "Note",
      history.problem === null ? [] : [style.yellow(`without vectors: ${printable(history.problem)}`)],
    ],
  ]);
  const proof = history.recall ? renderRecall(history.recall, { style, now, width }) : "";
  const next = [
    ...(untrusted.length > 0 ? [`${trustAdvice(untrusted)}. Until then they are skipped.`] : []),
    "Start Claude Code here; sessions that are open need a restart.",
    ...(history.found?.sessions === 0 ? FIRST_SESSION : []),
    '"mementor status" shows what happens.',
  ].join(`\n${" ".repeat(NEXT_COLUMNS)}`);
  return `${facts}${proof}\n${style.bold("Next")}${" ".repeat(NEXT_COLUMNS - "Next".length)}${next}\n`;
}

function syncLines({ folder = null, apart = null }: EnabledHistory): string[] {
  if (apart !== null) return [renderApart(apart, `mementor sync ${shWord(apart.directory)}`)];
  if (folder === null) return [];
  const arrives = "what your other devices remember of this project arrives in the background";
  return [`${arrives}, through ${printable(folder)}; "mementor sync status" shows how far`];
}

function historyLines({ found, unread, report, later, interrupted }: EnabledHistory): string[] {
  if (!found) return [];
  if (found.sessions === 0) return ["this project has no earlier conversations"];
  if (!report && !unread) return [`${conversations(found.agents)}, all read`];
  if (later)
    return [`${conversations(found.agents)} are read in the background; "mementor status" shows how far`];
  if (!report) return [`${conversations(found.agents)} left unread; "mementor ingest" reads them`];
  const others = Object.keys(found.agents).some((id) => otherClient(id) !== null);
  const turns = plural(report.turns.inserted + report.turns.updated, "turn");
  const from = others ? ` (${conversations(found.agents)})` : "";
  if (interrupted)
    return [
      `interrupted after ${turns} read from ${plural(report.sessions, "session")}${from}; "mementor ingest" reads the rest`,
    ];
  const known =
    report.files.read === 0
      ? `${conversations(found.agents)}, all read`
      : `${turns} read from ${sessionsRead(report.sessions, found.sessions)}${from} in ${report.seconds.read.toFixed(1)} s`;
  const failed =
    report.files.failed > 0 ? [`${plural(report.files.failed, "transcript")} could not be read`] : [];
  const { pending } = report.chunks;
  const waiting =
    pending > 0
      ? [
          "words find all of it now; the search by meaning follows in the background",
          `(${plural(pending, "passage")}, ${plural(Math.ceil(pending / PASSAGES_A_MINUTE), "minute")} or more, while the machine is not busy)`,
        ]
      : [];
  return [known, ...waiting, ...failed];
}

/** Some of the found sessions may be copies of others, such as resumed or forked ones. */
function sessionsRead(read: number, found: number): string {
  return read < found
    ? `${read} of ${plural(found, "session")}, the rest copies or empty,`
    : plural(read, "session");
}

/** The command that asks the question, as agents ask it, and what was said by whom. A quote in it would need quoting. */
function renderRecall(
  { query, hit: { turn }, says, speaker }: DemoAnswer,
  { style, now, width }: Screen,
): string {
  const command = `mementor recall ${shWord(printable(query).replaceAll("'", "’"))}`;
  const who = `${speaker}, ${renderWhen(turn.createdAt, now)}:`;
  const room = width === null ? ANSWER_CHARS + who.length : Math.max(20, width - INDENT.length);
  const [first = "", ...rest] = wrap(style.text(`${who} ${printable(says)}`), room, 3, style.ellipsis);
  const lines = [first.replace(who, (text) => style.dim(text)), ...rest];
  const answer = lines.map((line) => `${INDENT}${line}\n`).join("");
  return `\n${style.bold("It answers already, as your agents will be answered:")}\n  ${style.cyan(command)}\n${answer}`;
}
