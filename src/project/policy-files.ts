import { readdirSync } from "node:fs";
import { posix, win32 } from "node:path";
import type { SettingsContext } from "./settings-places.ts";

/** Where Claude Code looks for the settings of an organisation, where that is not `/etc/claude-code`. */
const DIRECTORIES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/ClaudeCode",
  win32: "C:\\Program Files\\ClaudeCode",
};

/** Lists the settings that an organisation may have put on this machine, as Claude Code looks for them. */
export function policyFiles({
  platform,
  policyDir = DIRECTORIES[platform] ?? "/etc/claude-code",
}: Pick<SettingsContext, "platform" | "policyDir">): string[] {
  const { join } = platform === "win32" ? win32 : posix;
  const more = join(policyDir, "managed-settings.d");
  return [join(policyDir, "managed-settings.json"), ...jsonFilesIn(more).map((name) => join(more, name))];
}

function jsonFilesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}
