import { sentence } from "../../../errors.ts";
import { nextModelNote } from "../../../recall/next-model.ts";
import { type HooksState, hooksProblems } from "../../../setup/settings/hooks-state.ts";
import type { InTheWay } from "../../../setup/settings/permission.ts";
import type { HookCallFacts } from "../../../store/journal.ts";
import { parseSyncState } from "../../../sync/backoff.ts";
import { printable } from "../../../text/invisible.ts";
import { contentsText, countPieces, groupedDigits, plural } from "../../../text/numbers.ts";
import { renderAgo } from "../../../text/when.ts";
import { problemWords } from "../../config-problems.ts";
import { readyWords } from "../../terminal/progress.ts";
import type { Screen, Style } from "../../terminal/screen.ts";
import { renderBytes, renderColumns, renderFacts } from "../../terminal/table.ts";
import {
  agentPermissionLines,
  agentStateLines,
  trustAdvice,
  untrustedAgents,
} from "../enable/agent-lines.ts";
import { folderLine } from "../sync/status-text.ts";
import { teamLine } from "../team/member-text.ts";
import { decisionWord, eventWord, hookTime } from "../told/text.ts";
import type { DatabaseContent, Status } from "./collect.ts";

/** Hook calls to show, the latest first. */
const CALLS_SHOWN = 5;

/**
 * Renders what `status` found, for a terminal: first whether it works, how much it remembers, what was told last and what
 * to do; then the details.
 */
export function renderStatus(status: Status, { style, now }: Screen): string {
  const first = renderFacts([
    ["Working", [workingLine(status, style, now)]],
    ["Holds", memoryLines(status, now)],
    ["Told", toldLines(status, now)],
    ["Team", teamLines(status, now)],
    ["Sync", folderLines(status, now)],
    ["Next", nextLines(status, style)],
  ]);
  const details = renderFacts([
    ["Project", [printable(status.project.root) + placeOf(status)]],
    ["Database", databaseLines(status, style)],
    ["Ignored", ignoredLines(status)],
    ["Hooks", hookLines(status, style)],
    ["May ask", [...permissionLines(status, style), ...agentPermissionLines(status.agents)]],
    ["Agents", agentStateLines(status.agents)],
    ["MCP", status.servers.map(({ name, file }) => `${name}: ${printable(file)}`)],
    ["Related", relatedLines(status, style)],
    ["Calls", callLines(status, now)],
    ["Config", configLines(status.configProblems, style)],
  ]);
  return `${first}\n${details}`;
}

/** Says in a line whether the memory is at work here, and if not, why. */
function workingLine(status: Status, style: Style, now: Date): string {
  const { origin, trust, refusal, database, hooks, neverCalled, isProgramMissing } = status;
  if (refusal) return style.red(`no. ${printable(sentence(refusal.message))}`);
  if (origin === "unmoved")
    return style.yellow(
      "an older mementor uses the memory; it moves to your data directory when that has ended",
    );
  if (trust === "off") return style.yellow("no: mementor is not enabled in this project");
  if (status.excludedBy !== null)
    return style.yellow(
      `no: "exclude" in ${printable(status.excludedBy)} leaves out this project or all of its files`,
    );
  if (status.exclusionProblem !== null)
    return style.red(
      `not fully: nothing new is read until the settings can be: ${problemWords(status.exclusionProblem)}`,
    );
  if (database?.problem) return style.red(`no: the memory cannot be read: ${printable(database.problem)}`);
  const wrong = hooksProblems(hooks).map(({ what }) => what);
  if (wrong.includes("none")) return style.yellow("only when asked: no hooks are installed");
  if (isProgramMissing) return style.red("no: the program that the hooks start is not there");
  if (wrong.includes("stopped")) return style.red("only when asked: settings keep all hooks from running");
  if (wrong.includes("outdated"))
    return style.yellow("not fully: some hooks are missing, outdated or disabled");
  const [last] = database?.content?.hookCalls ?? [];
  if (neverCalled || last === undefined)
    return style.green("yes, from the next session on: no hook was called yet");
  return `${style.green("yes")}: a hook answered ${renderAgo(last.time, now)}`;
}

function teamLines({ database }: Status, now: Date): string[] {
  const team = database?.content?.team ?? null;
  return team === null ? [] : [teamLine({ ...team, lastSync: parseSyncState(team.lastSync) }, now)];
}

function folderLines({ database }: Status, now: Date): string[] {
  const folder = database?.content?.folder ?? null;
  return folder === null ? [] : [folderLine({ ...folder, lastSync: parseSyncState(folder.lastSync) }, now)];
}

function toldLines({ database }: Status, now: Date): string[] {
  if (!database?.content) return [];
  const { lastTold } = database.content;
  if (lastTold === null) return ["nothing yet"];
  return [`${renderAgo(lastTold.time, now)} (${eventWord(lastTold.event)}); "mementor told" shows what`];
}

function placeOf({ project }: Status): string {
  const parts = [
    project.branch && `on ${printable(project.branch)}`,
    project.kind === "directory" && "not a git repository",
    project.kind === "submodule" && "a submodule",
    project.worktreeRoot !== project.root && `seen from its worktree ${printable(project.worktreeRoot)}`,
  ].filter(Boolean);
  return parts.length > 0 ? ` (${parts.join(", ")})` : "";
}

function memoryLines({ database, origin, trust, queued, isPaused }: Status, now: Date): string[] {
  if (origin === "foreign" || origin === "unmoved") return [];
  if (!database?.content) return trust === "off" || database?.problem ? [] : ["nothing yet"];
  const { lastIngest, pendingChunks } = database.content;
  const reading = readingLine(database.content, queued);
  const waiting = [
    reading === null && queued > 0 && `${plural(queued, "transcript")} to read`,
    pendingChunks > 0 && `${countPieces(pendingChunks)} for the search by meaning`,
  ].filter((part) => part !== false);
  const isEmpty = database.content.turns + database.content.notes === 0;
  if (isEmpty && lastIngest === null && waiting.length === 0 && reading === null) return ["nothing yet"];
  const read =
    reading !== null
      ? reading
      : lastIngest === null
        ? "nothing was read yet"
        : `last read ${renderAgo(lastIngest, now)}`;
  return [
    `${contentsText(database.content)}; ${read}`,
    ...(waiting.length > 0 ? [`waiting: ${waiting.join(", ")}`] : []),
    ...readyLines(database.content),
    ...modelLines(database.content.model),
    ...(isPaused ? ['paused while the machine is busy; "mementor ingest --now" embeds at once'] : []),
  ];
}

/** Says how far a worker is that reads several conversations, such as the history of a project; null where none does. */
function readingLine({ reading, lastIngest }: DatabaseContent, queued: number): string | null {
  const { read, total } = reading ?? { read: 0, total: lastIngest === null ? queued : 0 };
  if (total > 1) return `${groupedDigits(read)} of ${plural(total, "conversation")} read so far`;
  return reading !== null && lastIngest === null ? "being read now" : null;
}

function readyLines({ pendingChunks, vectors }: DatabaseContent): string[] {
  return pendingChunks > 0 ? [`by meaning: ${readyWords(vectors)}`] : [];
}

/** Names the model where something of it is not as usual. */
function modelLines({ id, isCalibrated, next }: DatabaseContent["model"]): string[] {
  return [
    ...(id !== null && !isCalibrated
      ? [`hooks go by words: how near is near is not known for the model ${printable(id)}`]
      : []),
    ...(next === null ? [] : [`changing to the model ${printable(next.id)}: ${nextModelNote(next)}`]),
  ];
}

function ignoredLines({ ignoredDataDir: ignored, dataDir }: Status): string[] {
  if (ignored === null) return [];
  return [
    `${printable(ignored)}, which variables name: your memories were made in ${printable(dataDir)}; "mementor doctor" says more`,
  ];
}

function databaseLines({ database }: Status, style: Style): string[] {
  if (!database) return [];
  const file = `${printable(database.file)} (${renderBytes(database.bytes)})`;
  return database.problem === null ? [file] : [file, style.red(printable(database.problem))];
}

function hookLines({ hooks }: Status, style: Style): string[] {
  const shown = hooks.filter(
    ({ events, problem, allDisabled }) => events.length > 0 || problem || allDisabled,
  );
  if (shown.length === 0) return ["none are installed"];
  return shown.map((state) => `${printable(state.file)}${remark(state, style)}`);
}

/** Says whether Claude Code may ask the memory by itself, and what is in the way; nothing where no hooks are installed. */
function permissionLines({ leave: { isGiven, inTheWay }, hooks }: Status, style: Style): string[] {
  if (!hooks.some(({ events }) => events.length > 0)) return [];
  const ways = inTheWay.map((way) => style.yellow(wayWords(way)));
  if (!isGiven)
    return ['Claude Code asks you before it runs "mementor recall"; "mementor enable" changes that', ...ways];
  const may = 'Claude Code may run "mementor recall" without asking you';
  return ways.length === 0 ? [may] : [`${may}, but for what is in the way:`, ...ways];
}

function wayWords({ file, why, rule }: InTheWay): string {
  const where = printable(file);
  switch (why) {
    case "denied":
      return `${where} denies it: ${printable(rule ?? "")}`;
    case "asks":
      return `${where} has it asked for: ${printable(rule ?? "")}`;
    case "policy":
      return `${where}: only the rules of your organisation count`;
    case "tracked":
      return `${where} gets no rule, since git tracks it`;
  }
}

function remark({ problem, allDisabled, missing, outdated }: HooksState, style: Style): string {
  const parts = [
    problem !== null && "cannot be read",
    allDisabled && "all hooks are disabled",
    missing.length > 0 && `missing: ${missing.join(", ")}`,
    outdated.length > 0 && `outdated: ${outdated.join(", ")}`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? ` (${style.yellow(parts.join("; "))})` : "";
}

function callLines({ database, neverCalled, trust }: Status, now: Date): string[] {
  const calls = database?.content?.hookCalls ?? [];
  if (calls.length > 0) return renderColumns(calls.slice(0, CALLS_SHOWN).map((call) => callRow(call, now)));
  return neverCalled && trust !== "off"
    ? ["none yet: Claude Code runs hooks in sessions started from now on, once the folder is trusted"]
    : [];
}

function callRow({ time, event, decision, durationMs }: HookCallFacts, now: Date): string[] {
  return [renderAgo(time, now), printable(event), hookTime(durationMs), decisionWord(printable(decision))];
}

function relatedLines({ related }: Status, style: Style): string[] {
  return related.map(({ path, problem }) =>
    problem === null
      ? printable(path)
      : `${printable(path)} ${style.yellow(`(not used: ${printable(problem)})`)}`,
  );
}

function configLines(problems: number, style: Style): string[] {
  return problems === 0 ? [] : [style.yellow(`${plural(problems, "problem")}; see "mementor config"`)];
}

/** What needs a person: the command to run next, if there is one, and what else waits for somebody. */
function nextLines(status: Status, style: Style): string[] {
  const { configProblems, related, agents, trust } = status;
  const unused = related.filter(({ problem }) => problem !== null).length;
  // Hooks do nothing in a project that is not enabled.
  const untrusted = trust === "off" ? [] : untrustedAgents(agents);
  const waiting = [
    adviceFor(status),
    configProblems > 0 && `mementor config    (${plural(configProblems, "mistake")} in the settings)`,
    unused > 0 && `mementor doctor    (${plural(unused, "related project")} cannot be used)`,
    untrusted.length > 0 && trustAdvice(untrusted),
  ];
  return [...new Set(waiting)].flatMap((line) => (typeof line === "string" ? [style.bold(line)] : []));
}

function adviceFor({ trust, refusal, hooks, database, isProgramMissing }: Status): string | null {
  if (refusal) return printable(refusal.hint);
  if (trust === "off") return "mementor enable";
  const wrong = hooksProblems(hooks).map(({ what }) => what);
  if (database?.problem || wrong.includes("unreadable")) return "mementor doctor";
  if (isProgramMissing || wrong.includes("outdated")) return "mementor doctor --fix";
  return wrong.includes("none") ? "mementor enable" : null;
}
