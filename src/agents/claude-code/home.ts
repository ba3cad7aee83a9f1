import { join } from "node:path";
import type { Environment } from "../agent.ts";
import { absolutePath, listEntries } from "../files.ts";

type Home = Pick<Environment, "env" | "homeDir">;

/** Returns Claude Code's directory: `${CLAUDE_CONFIG_DIR:-~/.claude}`. Ignores a relative setting. */
export function claudeDirectory({ env, homeDir }: Home): string {
  return absolutePath(env.CLAUDE_CONFIG_DIR) ?? join(homeDir, ".claude");
}

/** Returns all directories in which Claude Code kept conversations. Versions of 2025 wrote to `~/.config/claude`, too. */
export function claudeDirectories(home: Home): string[] {
  const directory = claudeDirectory(home);
  if (absolutePath(home.env.CLAUDE_CONFIG_DIR) !== null) return [directory];
  const config = absolutePath(home.env.XDG_CONFIG_HOME) ?? join(home.homeDir, ".config");
  return [directory, join(config, "claude")];
}

/** Lists the folders with transcripts. Claude Code makes one for each directory. */
export function transcriptFolders(home: Home): string[] {
  return claudeDirectories(home).flatMap((directory) => {
    const projects = join(directory, "projects");
    return listEntries(projects)
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(projects, name));
  });
}
