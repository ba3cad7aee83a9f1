import type { AgentChange, AgentState } from "../../../setup/hooks/install.ts";
import type { PermissionFile, PermissionFileChange } from "../../../setup/hooks/permission-file.ts";
import type { McpChange } from "../../../setup/mcp.ts";
import { printable } from "../../../text/invisible.ts";
import { plural } from "../../../text/numbers.ts";

/** Renders the question whether to install mementor for other agents, too. */
export function renderAgentsQuestion(
  agents: readonly { name: string; file: string }[],
  leave: readonly { name: string; file: string }[],
): string {
  const files = [...new Set(agents.map(({ file }) => printable(file)))];
  const names = listed([...new Set(agents.map(({ name }) => name))]);
  return `${names} ${names.includes(" and ") ? "are" : "is"} used on this machine too. Install mementor in ${listed(files)}${permissionClause(leave)}?`;
}

function permissionClause(leave: readonly { name: string; file: string }[]): string {
  if (leave.length === 0) return "";
  const names = listed(leave.map(({ name }) => name));
  const files = listed(leave.map(({ file }) => printable(file)));
  return `, and let ${names} run "mementor recall" without asking you, by ${files}`;
}

/** Renders the question whether to install an agent's plugin, with its consequences. */
export function renderPluginQuestion(agent: string, plugin: string): string {
  return [
    `${agent} gets recall for prompts only from a plugin. With any plugin, it requests a package from its registry`,
    `at each start until it has it; without a network, a start takes over a minute longer. Install ${plugin}?`,
  ].join("\n");
}

/** Renders the question whether Codex shall trust our hooks. */
export function renderTrustQuestion(): string {
  return "Codex skips hooks that you have not trusted. Trust mementor's hooks, by an entry in Codex's config.toml?";
}

/** Renders what was done to the settings of other agents. */
export function agentLines(changes: readonly AgentChange[]): string[] {
  return changes.flatMap(({ name, file, change, untrusted, leave }) => [
    `${name}: ${printable(file)} (${change})${trustNote(untrusted)}`,
    ...permissionChangeLines(name, leave),
  ]);
}

function permissionChangeLines(name: string, leave: PermissionFileChange | null): string[] {
  if (leave === null) return [];
  const { change } = leave;
  const file = `${name}: ${printable(leave.file)}`;
  if (change === "foreign") return [`${file} (stays: its content is not mementor's)`];
  return [`${file} (${change})${change === "removed" ? "" : `; ${mayAsk("it")}`}`];
}

/** Says that an agent may query the memory without asking the user. */
export function mayAsk(name: string): string {
  return `${name} may run "mementor recall" without asking you`;
}

/** Renders which agents the user declined, with the command that sets them up. */
export function declinedLines(declined: readonly { id: string; name: string }[]): string[] {
  if (declined.length === 0) return [];
  const isPlugin = ({ id }: { id: string }) => id.endsWith("-plugin");
  const agents = declined.filter((each) => !isPlugin(each)).map(({ id }) => id);
  const options = [
    ...(agents.length > 0 ? [`--for ${agents.join(",")}`] : []),
    ...declined.filter(isPlugin).map(({ id }) => `--${id}`),
  ].join(" ");
  return [
    `not for ${listed(declined.map(({ name }) => name))}, as you answered; to change that: mementor enable ${options}`,
  ];
}

/** Renders where the MCP server was registered. */
export function mcpLines(changes: readonly McpChange[]): string[] {
  return changes.map(
    ({ name, file, change }) =>
      `${name}: ${printable(file)} (${change === "kept" ? "a server of this name was there" : change})`,
  );
}

/** Renders the state of our hooks in the settings of other agents; nothing for agents without them. */
export function agentStateLines(states: readonly AgentState[]): string[] {
  return states
    .filter(({ events, problem }) => events.length > 0 || problem !== null)
    .map(({ name, file, stale, untrusted, problem }) => {
      const remarks = [
        problem !== null && "cannot be read",
        stale.length > 0 && `outdated: ${stale.join(", ")}`,
      ].filter((remark) => remark !== false);
      const remark = remarks.length > 0 ? ` (${remarks.join("; ")})` : "";
      return `${name}: ${printable(file)}${remark}${trustNote(untrusted)}`;
    });
}

/** Renders whether other agents with our hooks may query the memory without asking; nothing for agents without such rules. */
export function agentPermissionLines(states: readonly AgentState[]): string[] {
  return states.flatMap(({ name, id, events, leave }) =>
    leave === null || events.length === 0 ? [] : permissionWords(name, id, leave),
  );
}

function permissionWords(name: string, id: string, { file, state }: PermissionFile): string {
  const again = `"mementor enable --for ${id}"`;
  switch (state) {
    case "current":
      return mayAsk(name);
    case "none":
      return `${name} asks you before it runs "mementor recall"; ${again} changes that`;
    case "outdated":
      return `${printable(file)} is for a program at another path; ${again} changes that`;
    case "foreign":
      return `${printable(file)} has other content than mementor writes, which applies to ${name}`;
  }
}

/** Returns the names of the agents that skip hooks until the user trusts them. */
export function untrustedAgents(agents: readonly Pick<AgentState, "name" | "untrusted">[]): string[] {
  return agents.filter(({ untrusted }) => untrusted > 0).map(({ name }) => name);
}

export function trustAdvice(names: readonly string[]): string {
  return `Trust the hooks of ${listed(names)}: type "/hooks" there`;
}

function trustNote(untrusted: number): string {
  return untrusted === 0
    ? ""
    : `; ${plural(untrusted, "hook")} not trusted: type "/hooks" in Codex and trust ${untrusted === 1 ? "it" : "them"}`;
}

function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
