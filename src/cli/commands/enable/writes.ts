import type { EnableResult } from "../../../setup/enable.ts";
import type { LeaveWrite } from "../../../setup/hooks/leave-file.ts";
import { printable } from "../../../text/invisible.ts";
import { renderFacts } from "../../terminal/table.ts";
import { mayAsk } from "./agent-lines.ts";

/** Whose settings a file holds. */
export const SCOPE_WORDS: Record<EnableResult["scope"], string> = {
  project: "shared with the repository",
  local: "only for you, in this project",
  user: "only for you, in all projects",
};

/** A settings file that `enable` writes. */
export interface SettingsWrite {
  file: string;
  /** Whether the hooks in it are complete and up to date, so that it stays as it is. */
  isCurrent: boolean;
}

/** What `enable` writes beside settings. */
export interface OtherWrites {
  /** The file in the project that says where the memory is. */
  pointer: string;
  /** Git's exclude file; null where it stays as it is. */
  exclude: string | null;
  /** The user's list of projects. */
  registry: string;
}

/** Renders which files will be written, before they are, and whose settings these are. */
export function renderWrites(
  {
    hooks,
    leave,
    agents,
  }: Record<"hooks" | "leave", readonly SettingsWrite[]> & {
    agents: readonly LeaveWrite[];
  },
  { pointer, exclude, registry }: OtherWrites,
  { scope, leave: { tracked } }: Pick<EnableResult, "scope" | "leave">,
): string {
  const changing = hooks.filter(({ isCurrent }) => !isCurrent);
  const claude = leave.map((write) => ({ ...write, name: "Claude Code" }));
  const asking = [...claude, ...agents].filter(({ isCurrent }) => !isCurrent);
  if (changing.length + asking.length === 0) return "";
  return renderFacts([
    [
      "Writes",
      [
        ...changing.map(({ file }) => `${printable(file)}: the hooks (${SCOPE_WORDS[scope]})`),
        ...asking.map(({ file, name }) => `${printable(file)}: ${mayAsk(name)}; not with --no-approve`),
        `${printable(pointer)}: ${ADDS.pointer}`,
        ...(exclude === null ? [] : [`${printable(exclude)}: ${ADDS.exclude}`]),
        `${printable(registry)}: ${ADDS.registry}`,
      ],
    ],
    ["Note", tracked.map(leftAlone)],
  ]);
}

/** Says why settings get no leave to ask. */
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
  /** Whose settings these are, for Claude Code. */
  scope?: EnableResult["scope"];
  /** Why the file cannot be written. */
  problem: string | null;
}

const ADDS: Record<Exclude<PlannedWrite["adds"], "hooks" | "leave">, string> = {
  plugin: "the plugin",
  server: 'the MCP server "mementor"',
  pointer: "where the memory is",
  exclude: "the name of your settings, so that git leaves them out",
  registry: "this project; beside it, in backups/, a copy of each settings file as it was",
};

/** Says that `enable` would ask whether a directory is a project at all. */
export function renderPlannedQuestion(): string {
  return renderFacts([
    ["Asks", ["first, since this directory is in no repository, and looks like no project"]],
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
