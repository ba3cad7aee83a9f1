import { join } from "node:path";
import * as v from "valibot";
import { MementorError } from "../../errors.ts";
import { readIfExists } from "../../io/read.ts";
import { registerMemory } from "../../project/claim.ts";
import type { UserDirs } from "../../project/memory.ts";
import { type Registry, readRegistry } from "../../project/registry.ts";
import { memoryOrigin } from "../../project/trust.ts";
import { type HookEntry, isOwnCommand } from "../settings/hook-entries.ts";
import {
  forgetEdit,
  installedHooks,
  installHooks,
  restoreEdit,
  type SettingsChange,
  type SettingsPlace,
  uninstallHooks,
} from "../settings/settings-file.ts";
import type { SettingsContext } from "../settings/settings-places.ts";
import { type CodexHook, codexConfigFile, codexHooks, untrustedHooks, withoutTrust } from "./codex-trust.ts";
import pluginText from "./opencode-plugin.client.js" with { type: "text" };
import {
  grantPermission,
  type PermissionFile,
  type PermissionFileChange,
  permissionFile,
  removeOwnFile,
  revokePermission,
  writeOwnFile,
} from "./permission-file.ts";
import type { AgentFile, AgentTarget } from "./targets.ts";

/** The change of one agent's settings. */
export interface AgentChange extends AgentFile {
  change: SettingsChange;
  /** Number of hooks that Codex skips until its user trusts them. */
  untrusted: number;
  /** The file by which it may ask the memory without a question; null where there is none, or nothing was to be done. */
  leave: PermissionFileChange | null;
}

/** True if an agent shall be able to ask the memory without a question; `keep` leaves that as it is. */
export type PermissionWish = "grant" | "revoke" | "keep";

/** The state of mementor's hooks in one agent's settings. */
export interface AgentState extends AgentFile {
  isPresent: boolean;
  /** Events with one of mementor's hooks. */
  events: string[];
  /** Events without a hook, or with a command that differs from what this program would write. */
  stale: string[];
  untrusted: number;
  /** The file by which it may ask the memory without a question; null for an agent that has no such file. */
  leave: PermissionFile | null;
  /** Why the file cannot be read. */
  problem: string | null;
}

/** Adds mementor's hooks to the settings of these agents, and records for which project. */
export function installForAgents(
  targets: readonly AgentTarget[],
  root: string,
  context: SettingsContext & UserDirs,
  now: Date,
  wish: PermissionWish = "keep",
): AgentChange[] {
  const settings = targets.map(({ file }) => file);
  if (settings.length > 0 && memoryOrigin(context, root) === "own")
    registerMemory(context, root, { now, settings });
  return targets.map((target) => {
    const { id, name, file } = target;
    const change = install(target, context);
    const leave = applyPermission(target, context, wish);
    return { id, name, file, change, untrusted: findUntrusted(target, context).length, leave };
  });
}

function applyPermission(
  target: AgentTarget,
  { program }: SettingsContext,
  wish: PermissionWish,
): PermissionFileChange | null {
  if (wish === "keep") return null;
  if (wish === "grant") return grantPermission(target, program);
  const withdrawn = revokePermission(target);
  return withdrawn?.change === "unchanged" ? null : withdrawn;
}

function install({ file, form, entries }: AgentTarget, context: SettingsContext): SettingsChange {
  if (form === "plugin") return writePluginFile(file);
  return form === "list" ? writeListFile(file, entries) : installHooks(settingsPlace(file, context), entries);
}

/** Tells whether an agent's settings hold any of mementor's hooks. */
export function isInstalled(target: AgentTarget, context: SettingsContext): boolean {
  return agentState(target, context).events.length > 0;
}

/** Returns the state of an agent's settings. Never throws. */
export function agentState(target: AgentTarget, context: SettingsContext): AgentState {
  const { id, name, file, form, entries, isPresent } = target;
  const leave = permissionFile(target, context.program);
  const state = { id, name, file, isPresent, untrusted: 0, leave, problem: null };
  try {
    if (form === "plugin") return { ...state, ...pluginEvents(file) };
    const found = form === "list" ? listedHooks(file) : installedHooks(settingsPlace(file, context));
    const events = [...new Set(found.map(({ event }) => event))];
    const isCurrent = (event: string, command: string) =>
      found.some((hook) => hook.event === event && hook.command === command);
    const stale = entries
      .filter(({ event, command }) => !isCurrent(event, command))
      .map(({ event }) => event);
    const waiting = findUntrusted(target, context).length;
    return { ...state, events, stale: events.length === 0 ? [] : stale, untrusted: waiting };
  } catch (error) {
    return {
      ...state,
      events: [],
      stale: [],
      problem: error instanceof Error ? error.message : String(error),
    };
  }
}

function pluginEvents(file: string): Pick<AgentState, "events" | "stale"> {
  const state = pluginState(file);
  return {
    events: state === "none" ? [] : [PLUGIN_EVENT],
    stale: state === "outdated" ? [PLUGIN_EVENT] : [],
  };
}

/** Returns mementor's hooks that Codex would skip. Empty for any other agent. */
export function findUntrusted(
  { id, file }: Pick<AgentTarget, "id" | "file">,
  context: SettingsContext,
): CodexHook[] {
  if (id !== "codex") return [];
  return untrustedHooks(codexHooks(file, ownCommands(context)), readIfExists(codexConfigFile(file)));
}

/**
 * Removes mementor's hooks from the settings of agents, unless another project needs them. `root` is the project that
 * no longer needs them; null for the hooks for all projects.
 */
export function uninstallForAgents(
  targets: readonly AgentTarget[],
  root: string | null,
  context: SettingsContext & UserDirs,
): { file: string; change: SettingsChange }[] {
  return unwantedAgents(targets, root, readRegistry(context.configDir)).map((target) => ({
    file: target.file,
    change: uninstall(target, context),
  }));
}

/** Those of the agents whose hooks no other project needs. */
export function unwantedAgents(
  targets: readonly AgentTarget[],
  root: string | null,
  registry: Registry,
): AgentTarget[] {
  return targets.filter(({ file }) => !isWanted(file, root, registry));
}

function isWanted(file: string, root: string | null, { allProjects, projects }: Registry): boolean {
  if (root !== null && allProjects) return true;
  return projects.some((record) => record.root !== root && record.enabled && record.settings.includes(file));
}

function uninstall({ id, file, form }: AgentTarget, context: SettingsContext): SettingsChange {
  if (form === "plugin") return removePluginFile(file);
  if (form === "list") return removeOwnFile(file);
  if (id === "codex") distrust(file, context);
  return uninstallHooks(settingsPlace(file, context));
}

/** Removes the trust in mementor's hooks from Codex's configuration. */
function distrust(hooksFile: string, context: SettingsContext): void {
  const config = codexConfigFile(hooksFile);
  const keys = new Set(codexHooks(hooksFile, ownCommands(context)).map(({ key }) => key));
  restoreEdit(settingsPlace(config, context), (text) => withoutTrust(text, keys));
  forgetEdit(settingsPlace(config, context));
}

export function settingsPlace(file: string, context: SettingsContext): SettingsPlace {
  const backupDir = join(context.configDir, "backups");
  return { file, backupDir, isOwn: ownCommands(context), within: null };
}

function ownCommands({ self, platform }: SettingsContext) {
  return (command: string) => isOwnCommand(command, self, platform);
}

/** The event that stands for all hooks of a plugin. */
const PLUGIN_EVENT = "plugin";

const FIRST_LINE = `${pluginText.split("\n", 1)[0]}\n`;

/** Writes the plugin. Throws `settings_invalid` for a file of this name that is not mementor's, and does not change it. */
function writePluginFile(file: string): SettingsChange {
  if (readIfExists(file) !== null && pluginState(file) === "none")
    throw new MementorError("settings_invalid", `${file} was not written by mementor.`, {
      hint: "Give that plugin another name.",
    });
  return writeOwnFile(file, pluginText);
}

/** Deletes the plugin. Leaves a file of this name that is not mementor's. */
function removePluginFile(file: string): SettingsChange {
  return pluginState(file) === "none" ? "unchanged" : removeOwnFile(file);
}

/** Returns whether a file is the plugin: as this program writes it, or as another version wrote it. */
function pluginState(file: string): "none" | "current" | "outdated" {
  const text = readIfExists(file);
  if (!text?.startsWith(FIRST_LINE)) return "none";
  return text === pluginText ? "current" : "outdated";
}

const Command = v.optional(v.string(), "");

/** Copilot's format: for each event a list of commands, `powershell` for Windows and `bash` for other systems. */
const ListFile = v.object({
  hooks: v.record(v.string(), v.array(v.object({ bash: Command, powershell: Command }))),
});

function textOf(entries: readonly HookEntry[]): string {
  const hooks = Object.fromEntries(
    entries.map(({ event, command, timeoutSeconds, shell = "bash" }) => [
      event,
      [{ type: "command", [shell]: command, timeoutSec: timeoutSeconds }],
    ]),
  );
  return `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`;
}

/** Writes a file that contains only mementor's hooks. */
function writeListFile(file: string, entries: readonly HookEntry[]): SettingsChange {
  return writeOwnFile(file, textOf(entries));
}

/** Lists the commands in a file of mementor's hooks. Empty when it is missing or broken. */
function listedHooks(file: string): { event: string; command: string }[] {
  try {
    const { hooks } = v.parse(ListFile, JSON.parse(readIfExists(file) ?? ""));
    return Object.entries(hooks).flatMap(([event, list]) =>
      list.map(({ bash, powershell }) => ({ event, command: bash || powershell })),
    );
  } catch {
    return [];
  }
}
