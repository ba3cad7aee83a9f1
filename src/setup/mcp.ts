import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Environment } from "../agents/agent.ts";
import { agentName } from "../agents/agent.ts";
import { agentHome, isUsed } from "../agents/list.ts";
import { ioError } from "../io/errors.ts";
import { readIfExists } from "../io/read.ts";
import { writeAtomic } from "../io/write.ts";
import { registerMemory } from "../project/claim.ts";
import type { UserDirs } from "../project/memory.ts";
import type { ProjectRecord, Registry } from "../project/registry.ts";
import { memoryOrigin } from "../project/trust.ts";
import { type AgentFile, firstExisting } from "./hooks/targets.ts";
import { appendChild, parseJson, removeChild, valueAt } from "./settings/json-edit.ts";
import {
  forgetEdit,
  rememberEdit,
  restoreEdit,
  type SettingsChange,
  type SettingsPlace,
} from "./settings/settings-file.ts";

/** How an agent's configuration starts our MCP server. */
interface AgentMcp {
  id: string;
  /** Below the agent's directory: the first one that is there, else the last. */
  files: readonly string[];
  /** Where the server's entry stands; `toml` is Codex's form. */
  form?: "json" | "toml";
  /** Key of the object that holds the servers. */
  path?: string;
  entry?: (program: string) => object;
}

const stdio = (program: string) => ({ command: program, args: ["mcp"] });

const AGENT_MCP: readonly AgentMcp[] = [
  { id: "codex", files: ["config.toml"], form: "toml", path: "mcp_servers" },
  { id: "gemini", files: ["settings.json"] },
  { id: "qwen", files: ["settings.json"] },
  {
    id: "copilot",
    files: ["mcp-config.json"],
    entry: (program) => ({ type: "local", ...stdio(program), tools: ["*"] }),
  },
  {
    id: "opencode",
    files: ["opencode.jsonc", "config.json", "opencode.json"],
    path: "mcp",
    entry: (program) => ({ type: "local", command: [program, "mcp"], enabled: true }),
  },
  { id: "cursor", files: ["mcp.json"] },
  { id: "droid", files: ["mcp.json"], entry: (program) => ({ type: "stdio", ...stdio(program) }) },
  { id: "antigravity", files: ["mcp_config.json"] },
  { id: "cline", files: ["settings/cline_mcp_settings.json"] },
];

/** An agent whose configuration can start our MCP server. */
export interface McpTarget extends AgentFile {
  form: "json" | "toml";
  path: string;
  entry: object;
  isPresent: boolean;
}

/** Ids of the agents that `enable --mcp` knows. */
export const MCP_AGENTS: readonly string[] = AGENT_MCP.map(({ id }) => id);

/** `program` is the file that hooks start too, as an absolute path: no agent expands variables in a command. */
export function mcpTargets(environment: Environment, program: string): McpTarget[] {
  return AGENT_MCP.flatMap(({ id, files, form = "json", path = "mcpServers", entry = stdio }) => {
    const home = agentHome(id, environment);
    if (home === null) return [];
    const file = firstExisting(home, files);
    const isPresent = isUsed(id, environment);
    return { id, name: agentName(id), file, form, path, entry: entry(program), isPresent };
  });
}

const NAME = "mementor";
const BOM = "\ufeff";
const TOML_TABLE = `[mcp_servers.${NAME}]`;

/** What was done to the configuration of one agent. */
export interface McpChange extends AgentFile {
  /** `kept`: a server of this name was there already. */
  change: SettingsChange | "kept";
}

/**
 * Registers our MCP server with these agents; a server of this name that is there stays as it is.
 *
 * @throws `io` when the directory of a settings file cannot be made.
 */
export function registerMcp(targets: readonly McpTarget[], configDir: string): McpChange[] {
  return targets.map((target) => {
    const { id, name, file } = target;
    const current = readIfExists(file);
    const edited = withServer(current, target);
    if (edited === null) return { id, name, file, change: "kept" };
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    } catch (error) {
      throw ioError(error, `make ${dirname(file)}`);
    }
    writeAtomic(file, edited);
    rememberEdit(placeOf(file, configDir), current);
    return { id, name, file, change: current === null ? "created" : "changed" };
  });
}

/** Records that a project wants the MCP server in these configurations. Does nothing where the memory is not our own. */
export function recordServers(files: readonly string[], root: string, dirs: UserDirs, now: Date): void {
  if (files.length > 0 && memoryOrigin(dirs, root) === "own")
    registerMemory(dirs, root, { now, settings: [], servers: files });
}

/** Tells whether a server of our name is in the configuration of an agent. Throws `settings_invalid`. */
export function hasServer(target: McpTarget): boolean {
  return withServer(readIfExists(target.file), target) === null;
}

/** The agents that start our MCP server; those whose configuration cannot be read do not count. */
export function startedServers(targets: readonly McpTarget[]): Pick<McpTarget, "id" | "name" | "file">[] {
  return targets.filter(isServed).map(({ id, name, file }) => ({ id, name, file }));
}

function isServed(target: McpTarget): boolean {
  try {
    return hasServer(target);
  } catch {
    return false;
  }
}

/**
 * Splits configurations into those that lose the MCP server with this project and those that other projects still need. `asking`
 * is the project's former record or null, and `registry` the registry without it.
 */
export function unwantedServers(
  targets: readonly McpTarget[],
  asking: ProjectRecord | null,
  registry: Registry,
) {
  const { allProjects, projects } = registry;
  // Without a project there is no memory that a server could give.
  if (!allProjects && projects.every(({ enabled }) => !enabled)) return { removed: targets, kept: [] };
  const own = targets.filter(({ file }) => asking?.servers?.includes(file));
  const kept = own.filter(({ file }) => isWanted(file, registry));
  return { removed: own.filter((target) => !kept.includes(target)), kept };
}

function isWanted(file: string, { allProjects, projects }: Registry): boolean {
  return allProjects || projects.some(({ enabled, servers }) => enabled && servers?.includes(file));
}

/** Takes our MCP server out of the configuration of agents; one of another program's stays. */
export function unregisterMcp(targets: readonly McpTarget[], configDir: string) {
  return targets.map((target) => {
    const place = placeOf(target.file, configDir);
    const remove =
      target.form === "toml"
        ? (text: string) => withoutTable(text, target)
        : (text: string) => withoutEntry(text, target);
    const change = restoreEdit(place, remove);
    forgetEdit(place);
    return { file: target.file, change };
  });
}

function placeOf(file: string, configDir: string): SettingsPlace {
  return { file, backupDir: join(configDir, "backups", "mcp"), isOwn: () => false, within: null };
}

/** The configuration with our server; null where a server of our name is there. */
function withServer(current: string | null, target: McpTarget): string | null {
  if (target.form === "toml") return addTable(current ?? "", target);
  const bom = current?.startsWith(BOM) ? BOM : "";
  const text = current?.slice(bom.length) ?? "";
  const edited = addEntry(text.trim() === "" ? "{}\n" : text, target);
  return edited === null ? null : bom + edited;
}

function addEntry(text: string, { file, path, entry }: McpTarget): string | null {
  const root = parseJson(text, file);
  const servers = valueAt(root, path);
  if (servers === undefined) return appendChild(text, root, path, { [NAME]: entry });
  return valueAt(servers, NAME) ? null : appendChild(text, servers, NAME, entry);
}

function withoutEntry(given: string, { file, path, entry }: McpTarget): string {
  const bom = given.startsWith(BOM) ? BOM : "";
  const text = given.slice(bom.length);
  const servers = valueAt(parseJson(text, file), path);
  const own = valueAt(servers, NAME);
  if (!own?.parent || !startsMementor(text.slice(own.offset, own.offset + own.length), entry)) return given;
  const edited = removeChild(text, own.parent);
  const left = valueAt(parseJson(edited, file), path);
  return bom + (left?.children?.length === 0 && left.parent ? removeChild(edited, left.parent) : edited);
}

/** Tells whether an entry is the one that we wrote, in whatever layout. */
function startsMementor(text: string, entry: object): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(entry);
  } catch {
    return false;
  }
}

function addTable(text: string, { entry }: McpTarget): string | null {
  if (text.split(/\r?\n/).some((line) => line.trim() === TOML_TABLE)) return null;
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const gap = text === "" || text.endsWith("\n\n") ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  return `${text}${gap}${TOML_TABLE}\n${lines.join("\n")}\n`;
}

function withoutTable(text: string, { entry }: McpTarget): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const table = /\n?^\[mcp_servers\.mementor\][ \t]*\r?\n(?:(?!\[).*(?:\r?\n|$))*/m;
  return text.replace(table, (found) => (lines.every((line) => found.includes(line)) ? "" : found));
}
