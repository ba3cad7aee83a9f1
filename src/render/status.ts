import type { HooksState } from "../project/hooks-state.ts";
import type { HookCallSeen, Status } from "../project/status.ts";
import { printable } from "../text/printable.ts";
import { agentStateLines } from "./agents.ts";
import { plural } from "./plural.ts";
import type { Style } from "./style.ts";
import { renderBytes, renderColumns, renderFacts } from "./table.ts";
import { renderAgo } from "./time.ts";

const TRUST_WORDS: Record<Status["trust"], string> = {
  trusted: "on",
  new: "on; it will be created when the first turn ends",
  off: "off",
  unmoved: "in use by an older mementor; it moves to your data directory when that process has ended",
  foreign: "not created on this machine, so mementor does not read it",
};

/** Hook calls to show, the latest first. */
const CALLS_SHOWN = 5;

/** The status, with what the configuration says. */
export interface ShownStatus extends Status {
  /** Projects whose memories a prompt's recall uses too. */
  related: readonly { path: string; problem: string | null }[];
  configProblems: number;
}

/** Renders what `status` found, for a terminal. */
export function renderStatus(status: ShownStatus, style: Style, now: Date): string {
  return renderFacts([
    ["Project", [printable(status.project.root) + placeOf(status)]],
    ["Memory", memoryLines(status, style)],
    ["Read", readLines(status, now)],
    ["Hooks", hookLines(status, style)],
    ["Agents", agentStateLines(status.agents)],
    ["MCP", status.servers.map(({ name, file }) => `${name}: ${printable(file)}`)],
    ["Related", relatedLines(status, style)],
    ["Calls", callLines(status, now)],
    ["Config", configLines(status.configProblems, style)],
    ["Next", nextLines(status, style)],
  ]);
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

function memoryLines(status: Status, style: Style): string[] {
  const { database } = status;
  const { origin } = status;
  const trust = origin === "foreign" || origin === "unmoved" ? origin : status.trust;
  const paint =
    trust === "foreign" ? style.red : trust === "trusted" || trust === "new" ? style.green : style.yellow;
  const state = paint(TRUST_WORDS[trust]);
  if (!database) return trust === "off" || trust === "new" ? [state] : [state, "nothing is stored yet"];
  const file = `${printable(database.file)} (${renderBytes(database.bytes)})`;
  if (trust === "foreign" || trust === "unmoved") return [state, file];
  if (!database.content) return [state, file, style.red(printable(database.problem ?? "cannot be read"))];
  const { sessions, turns, chunks } = database.content;
  return [
    `${state}: ${plural(turns, "turn")} of ${plural(sessions, "session")}, in ${plural(chunks, "chunk")}`,
    file,
  ];
}

function readLines({ database, queued }: Status, now: Date): string[] {
  if (!database?.content) return [];
  const { lastIngest, pendingChunks, skippedLines } = database.content;
  const waiting = [
    queued > 0 && `${plural(queued, "transcript")} to read`,
    pendingChunks > 0 && `${plural(pendingChunks, "chunk")} to embed (found by keywords until then)`,
  ].filter((part) => part !== false);
  const skipped = Object.entries(skippedLines).sort(([, a], [, b]) => b - a);
  const total = skipped.reduce((sum, [, lines]) => sum + lines, 0);
  const kinds = skipped
    .slice(0, 4)
    .map(([kind, lines]) => `${printable(kind)} ${lines.toLocaleString("en")}`);
  return [
    lastIngest === null ? "nothing yet" : renderAgo(lastIngest, now),
    ...(waiting.length > 0 ? [`waiting: ${waiting.join(", ")}`] : []),
    ...(total > 0
      ? [
          `${plural(total, "line")} without text to remember: ${kinds.join(", ")}${skipped.length > 4 ? ", ..." : ""}`,
        ]
      : []),
  ];
}

function hookLines({ hooks }: Status, style: Style): string[] {
  const shown = hooks.filter(
    ({ events, problem, allDisabled }) => events.length > 0 || problem || allDisabled,
  );
  if (shown.length === 0) return ["none are installed"];
  return shown.map((state) => `${printable(state.file)}${remark(state, style)}`);
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

function callRow({ time, event, decision, durationMs }: HookCallSeen, now: Date): string[] {
  return [renderAgo(time, now), printable(event), `${Math.round(durationMs)} ms`, printable(decision)];
}

function relatedLines({ related }: ShownStatus, style: Style): string[] {
  return related.map(({ path, problem }) =>
    problem === null
      ? printable(path)
      : `${printable(path)} ${style.yellow(`(not used: ${printable(problem)})`)}`,
  );
}

function configLines(problems: number, style: Style): string[] {
  return problems === 0 ? [] : [style.yellow(`${plural(problems, "problem")}; see "mementor config"`)];
}

/** The command to run next, if there is one. */
function nextLines(status: Status, style: Style): string[] {
  const advice = adviceFor(status);
  return advice === null ? [] : [style.bold(advice)];
}

function adviceFor({ trust, origin, hooks, database }: Status): string | null {
  if (origin === "foreign") return "mementor enable --adopt, if it is yours; else delete it";
  if (trust === "off") return "mementor enable";
  if (database?.problem || hooks.some(({ problem }) => problem)) return "mementor doctor";
  if (hooks.some(({ missing, outdated }) => missing.length + outdated.length > 0))
    return "mementor doctor --fix";
  if (!hooks.some(({ events }) => events.length > 0)) return "mementor enable";
  return null;
}
