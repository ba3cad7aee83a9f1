import { HOOK_SCOPES } from "../../../setup/settings/hook-entries.ts";
import {
  flag,
  jsonOption,
  type OptionValues,
  onByDefault,
  oneOf,
  onOrOff,
  valued,
} from "../../command-line/option.ts";

/** Options of `mementor enable`. */
export const enableOptions = {
  scope: valued(
    "scope",
    "Who gets the hooks: local (you, here; the default), project (shared settings) or user (you, everywhere)",
    oneOf(HOOK_SCOPES),
  ),
  for: valued(
    "agents",
    "Other agents to set up, with hooks or the MCP server: codex,gemini,qwen,copilot,cursor,droid,opencode,antigravity,cline, all or claude",
  ),
  mcp: flag("Also register the MCP server with agents that get hooks; agents without hooks always get it"),
  approve: onByDefault('Do not let agents run "mementor recall" without a question'),
  opencodePlugin: flag(
    "Install the plugin for opencode, which then requests a package from its registry at each start",
  ),
  history: onOrOff("Read the conversations that are already on disk, without asking", "Do not read them"),
  yes: flag("Do not ask: read the history now. Where nobody can be asked, it is read in the background", "y"),
  adopt: flag("Use a database in the tree, or the memory of a project that was moved here"),
  adoptHistory: flag(
    "Take over the history of this repository at other paths, as after a move or in a second clone",
  ),
  adoptFrom: valued("dir", "Take over the history of this directory, which may be gone, or a fork"),
  dryRun: flag("Show what would be found, taken over and written, and change nothing"),
  json: jsonOption,
};

export type EnableOptions = OptionValues<typeof enableOptions>;
