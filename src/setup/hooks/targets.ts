import { join } from "node:path";
import type { Environment } from "../../agents/agent.ts";
import { agentName } from "../../agents/agent.ts";
import { agentHome, isUsed } from "../../agents/list.ts";
import { statIfExists } from "../../io/read.ts";
import { type HookEntry, type HookShell, hookCommand } from "../settings/hook-entries.ts";
import { FROM_AGENT_FLAG, HOOK_EVENTS } from "../settings/hook-events.ts";

type Word = (typeof HOOK_EVENTS)[number]["word"];

/** How another agent's hooks are configured. */
interface AgentHooks {
  id: string;
  /** Paths relative to the agent's directory: the first existing one counts, else the last. */
  files: readonly string[];
  /**
   * `groups` as in Claude Code's settings, `flat` lists of hooks instead of groups, a `list` of commands per event in a
   * separate file, or a `plugin` in the agent's own language, which calls the hooks.
   */
  form: "groups" | "flat" | "list" | "plugin";
  /** `s` when absent. */
  timeoutUnit?: "s" | "ms";
  /**
   * True if a hook says that PowerShell must run it. Qwen Code starts cmd or Git Bash otherwise, and Copilot has a place for each
   * kind of shell. Codex and Gemini CLI always start PowerShell on Windows.
   */
  namesShell?: true;
  /** The events' names on mementor's command line, by the agent's names. */
  events: Readonly<Record<string, Word>>;
  /** The tools that a hook is for, by event, where it is not for all. */
  matchers?: Readonly<Record<string, string>>;
}

/** Events that have the names of Claude Code's. */
function likeClaude(...names: readonly (typeof HOOK_EVENTS)[number]["event"][]): AgentHooks["events"] {
  const like = HOOK_EVENTS.filter(({ event }) => names.includes(event));
  return Object.fromEntries(like.map(({ event, word }) => [event, word]));
}

const AGENT_HOOKS: readonly AgentHooks[] = [
  {
    id: "codex",
    files: ["hooks.json"],
    form: "groups",
    events: likeClaude(
      "UserPromptSubmit",
      "SubagentStart",
      "SessionStart",
      "Stop",
      "SubagentStop",
      "PreCompact",
      "SessionEnd",
    ),
  },
  {
    id: "gemini",
    files: ["settings.json"],
    form: "groups",
    timeoutUnit: "ms",
    // PreCompress precedes every request to the model, so it does not announce a compaction.
    events: {
      BeforeAgent: "user-prompt-submit",
      SessionStart: "session-start",
      AfterAgent: "stop",
      SessionEnd: "session-end",
    },
  },
  {
    id: "qwen",
    files: ["settings.json"],
    form: "groups",
    timeoutUnit: "ms",
    namesShell: true,
    events: likeClaude(
      "UserPromptSubmit",
      "SubagentStart",
      "SessionStart",
      "Stop",
      "PreCompact",
      "SessionEnd",
    ),
  },
  {
    id: "copilot",
    files: ["hooks/mementor.json"],
    form: "list",
    namesShell: true,
    events: {
      userPromptSubmitted: "user-prompt-submit",
      sessionStart: "session-start",
      agentStop: "stop",
      sessionEnd: "session-end",
    },
  },
  {
    id: "cursor",
    files: ["hooks.json"],
    form: "flat",
    events: {
      sessionStart: "session-start",
      beforeSubmitPrompt: "user-prompt-submit",
      preToolUse: "pre-tool-use",
      preCompact: "pre-compact",
      stop: "stop",
      sessionEnd: "session-end",
    },
    matchers: { preToolUse: "Read|Write" },
  },
  {
    id: "droid",
    // Droid ignores hooks in settings.json once hooks.json exists, so creating that file would switch off existing hooks.
    files: ["hooks.json", "settings.json"],
    form: "groups",
    events: likeClaude("UserPromptSubmit", "SessionStart", "Stop", "PreCompact", "SessionEnd"),
  },
  {
    id: "opencode",
    files: ["plugin/mementor.js"],
    form: "plugin",
    events: {},
  },
];

/** Codex shortens a longer timeout for this event and prints a warning. */
const MAX_SESSION_END_SECONDS = 3;

/** The user's settings file of an agent. */
export interface AgentFile {
  id: string;
  name: string;
  file: string;
}

/**
 * An agent whose settings can contain mementor's hooks. They run in all projects, and print nothing where mementor is
 * disabled.
 */
export interface AgentTarget extends AgentFile {
  form: AgentHooks["form"];
  entries: HookEntry[];
  /** True if the agent has been used on this machine. */
  isPresent: boolean;
  /** Installed only after a question of its own: a plugin changes how the agent starts. */
  isOptIn: boolean;
}

/** Ids of the agents that get hooks by `enable --for`, besides Claude Code. */
export const HOOKED_AGENTS: readonly string[] = AGENT_HOOKS.filter(({ form }) => form !== "plugin").map(
  ({ id }) => id,
);

export function agentTargets(environment: Environment): AgentTarget[] {
  return AGENT_HOOKS.flatMap((hooks) => {
    const home = agentHome(hooks.id, environment);
    if (home === null) return [];
    const { id, form } = hooks;
    return {
      id,
      name: agentName(id),
      file: firstExisting(home, hooks.files),
      form,
      entries: entriesOf(hooks, environment.platform),
      isPresent: isUsed(id, environment),
      isOptIn: form === "plugin",
    };
  });
}

/** Returns the first of these files below a directory that is there, else the last. */
export function firstExisting(home: string, files: readonly string[]): string {
  const paths = files.map((name) => join(home, ...name.split("/")));
  return paths.find((path) => statIfExists(path)?.isFile()) ?? paths.at(-1) ?? home;
}

function entriesOf(
  { id, events, timeoutUnit = "s", namesShell, form, matchers = {} }: AgentHooks,
  platform: NodeJS.Platform,
): HookEntry[] {
  const isWindows = platform === "win32";
  const shell: HookShell = isWindows ? "powershell" : "sh";
  return Object.entries(events).map(([event, word]) => {
    const known = HOOK_EVENTS.find((each) => each.word === word)?.timeoutSeconds ?? 5;
    const timeoutSeconds = word === "session-end" ? Math.min(known, MAX_SESSION_END_SECONDS) : known;
    const command = hookCommand(word, [FROM_AGENT_FLAG, id], shell);
    const matcher = matchers[event] ?? null;
    const entry = { event, matcher, command, timeoutSeconds, timeoutUnit, isFlat: form === "flat" };
    return isWindows && namesShell ? { ...entry, shell: "powershell" } : entry;
  });
}
