import { agentIds } from "../../agents/names.ts";
import { LEAVES, settingValues } from "../../config/leaves.ts";
import { meaningOf } from "../../config/meanings.ts";
import { NOTE } from "../../constants.ts";
import { HOOKED_AGENTS } from "../../project/agent-hooks/targets.ts";
import { MCP_AGENTS } from "../../project/agent-mcp/targets.ts";
import type { Lookup } from "../../render/completions/lookup.ts";
import type { CommandHelp, OptionHelp } from "../../render/help.ts";

type Lookups = readonly Lookup[];

const SAID: Lookups = ["turns", "sessions"];

/** What of the memory the arguments of a command are, by those before them. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, Lookups>>>> = {
  commits: { "": ["commits"] },
  forget: { "": SAID },
  mark: { good: ["answers"], bad: ["answers"], mute: ["turns"], pin: ["turns"] },
  model: { use: ["models"], remove: ["models"] },
  show: { "": SAID },
  sync: { remove: ["devices"] },
  team: { preview: ["turns"], unshare: SAID },
  told: { "": ["answers"] },
};

/** What of the memory the value of an option is, by its flags. */
const VALUES: Readonly<Record<string, Lookups>> = {
  "--session <id>": ["sessions"],
  "--branch <name>": ["branches"],
  "--pr <number>": ["prs"],
  "--commit <hash>": ["commits"],
  "--author <name>": ["authors"],
  "--show <turn|n-m|session>": SAID,
};

/** Times as people type them in one word. */
const TIMES = ["today", "yesterday", "3d", "2w", "1mo"];

/** Adds the words that shells complete and that no schema lists: settings, agents, times, and what the memory knows. */
export function withOwnWords(command: CommandHelp): CommandHelp {
  const options = command.options.map((option) => withValues(option, command.name));
  const lookups = ARGUMENTS[command.name];
  const known = lookups === undefined ? { ...command, options } : { ...command, options, lookups };
  if (command.name === "config") return { ...known, nextValues: settings(), meanings: MEANINGS };
  if (command.name === "team") return { ...known, nextValues: { share: ["on", "off"] } };
  // Its target is a name, or the file of a model to import.
  return command.name === "model" ? { ...known, path: "file" } : known;
}

/** What each setting does. */
const MEANINGS = Object.fromEntries(LEAVES.map((leaf) => [leaf.key, meaningOf(leaf)]));

function settings(): Record<string, readonly string[]> {
  const keys = LEAVES.map(({ key }) => key);
  const values = LEAVES.map((leaf) => [`set ${leaf.key}`, settingValues(leaf)] as const);
  return {
    get: keys,
    set: keys,
    unset: keys,
    ...Object.fromEntries(values.filter(([, words]) => words.length > 0)),
  };
}

function withValues(option: OptionHelp, command: string): OptionHelp {
  const { flags } = option;
  if (flags === "--from <agent>") return { ...option, values: READ };
  if (command === "enable" && flags.startsWith("--for ")) return { ...option, values: SET_UP };
  if (/^--\w+ <when>$/.test(flags)) return { ...option, values: TIMES };
  const lookups = VALUES[flags];
  return lookups === undefined ? option : { ...option, lookups };
}

/** The agents that "enable" sets up, and those whose sessions are read. */
const SET_UP = [...new Set(["claude", ...HOOKED_AGENTS, ...MCP_AGENTS, "all"])];
const READ = ["claude", ...agentIds().filter((id) => id !== "claude-code"), NOTE.client];
