import type { EnableResult } from "../../../setup/enable.ts";
import { printable } from "../../../text/invisible.ts";
import { renderFacts } from "../../terminal/table.ts";
import { mayAsk } from "./agent-lines.ts";

/** The users whom a settings file affects, by scope. */
export const SCOPE_WORDS: Record<EnableResult["scope"], string> = {
  project: "shared with the repository",
  local: "only for you, in this project",
  user: "only for you, in all projects",
};

/** Explains why a settings file gets no permission rule. */
export function leftAlone(file: string): string {
  return `Claude Code will ask before it runs "mementor recall": git tracks ${printable(file)}, so others would get the rule`;
}

/** A file that `enable` would write. */
export interface PlannedWrite {
  /** The name of the agent that reads the file. */
  agent: string;
  file: string;
  change: "created" | "changed" | "unchanged";
  adds: "hooks" | "leave" | "plugin" | "server" | "pointer" | "exclude" | "registry";
  /** The events that get hooks. */
  hooks?: readonly string[];
  /** The scope of Claude Code's settings; absent for other files. */
  scope?: EnableResult["scope"];
  /** Why the file cannot be written. */
  problem: string | null;
}

const ADDS: Record<Exclude<PlannedWrite["adds"], "hooks" | "leave">, string> = {
  plugin: "the plugin",
  server: 'the MCP server "mementor"',
  pointer: "where the memory is",
  exclude: "the name of your settings file, so that git ignores it",
  registry: "this project; beside it, in backups/, a copy of each settings file as it was",
};

/** Announces the files to write, and the scope of settings; empty if no settings change. */
export function renderWrites(writes: readonly PlannedWrite[], tracked: readonly string[]): string {
  const isSetting = ({ adds, scope }: PlannedWrite) =>
    adds === "leave" || (adds === "hooks" && scope !== undefined);
  const settings = writes.filter((write) => isSetting(write) && write.change !== "unchanged");
  if (settings.length === 0) return "";
  const others = writes.filter(
    ({ adds, change }) =>
      adds === "pointer" || adds === "registry" || (adds === "exclude" && change !== "unchanged"),
  );
  const lines = [...settings, ...others].map(({ file, agent, adds, scope }) => {
    if (adds === "leave") return `${printable(file)}: ${mayAsk(agent)}; not with --no-approve`;
    const what =
      adds === "hooks" ? `the hooks (${scope === undefined ? "" : SCOPE_WORDS[scope]})` : ADDS[adds];
    return `${printable(file)}: ${what}`;
  });
  return renderFacts([
    ["Writes", lines],
    ["Note", tracked.map(leftAlone)],
  ]);
}

/** Says that `enable` would ask whether a directory is a project at all. */
export function renderPlannedQuestion(): string {
  return renderFacts([
    [
      "Asks",
      ["first whether this directory is a project: it is not in a repository, and does not look like one"],
    ],
  ]);
}

/** Renders each file that `enable` would write, and what goes into it. */
export function renderPlannedWrites(writes: readonly PlannedWrite[]): string {
  return renderFacts([["Writes", writes.flatMap(plannedLines)]]);
}

function plannedLines({ agent, file, change, adds, hooks, scope, problem }: PlannedWrite): string[] {
  const state = { created: "new", changed: "changed", unchanged: "is up to date, stays as it is" }[change];
  const remark = problem === null ? state : `cannot be written: ${printable(problem)}`;
  const whose = scope === undefined ? "" : `; ${SCOPE_WORDS[scope]}`;
  return [`${agent}: ${printable(file)} (${remark}${whose})`, `  ${whatOf(agent, adds, hooks)}`];
}

function whatOf(agent: string, adds: PlannedWrite["adds"], hooks: readonly string[] = []): string {
  if (adds === "hooks") return `hooks: ${hooks.join(", ")}`;
  return adds === "leave" ? mayAsk(agent) : ADDS[adds];
}
