import { existsSync } from "node:fs";
import { join } from "node:path";
import { claudeDirectory } from "./agents/claude-code/home.ts";
import type { AssetPlaces } from "./assets/catalog.ts";
import type { Host } from "./host.ts";

/** The directories of a user. */
export interface UserPaths {
  /** `${XDG_CONFIG_HOME:-~/.config}/mementor`: the user's configuration and the registry of projects. */
  configDir: string;
  /** Directory of the memories. */
  dataDir: string;
  /** `${XDG_CACHE_HOME:-~/.cache}`. */
  cacheDir: string;
  /** Directory of installed embedding models: `models` in `dataDir`, or the place of an earlier version. */
  modelsDir: string;
  /** `${CLAUDE_CONFIG_DIR:-~/.claude}`. */
  claudeDir: string;
  /** Variables that named other directories and were not believed. */
  refused?: readonly string[] | undefined;
}

/** Returns the directories of a user. Ignores a variable without an absolute path. */
export function userPaths(host: Host): UserPaths {
  const { env, homeDir } = host;
  return {
    configDir: join(absolute(env.XDG_CONFIG_HOME) ?? join(homeDir, ".config"), "mementor"),
    dataDir: join(dataHomeOf(host), "mementor"),
    cacheDir: absolute(env.XDG_CACHE_HOME) ?? join(homeDir, ".cache"),
    modelsDir: modelsDirOf(host),
    claudeDir: claudeDirectory(host),
    refused: host.refused,
  };
}

/** Returns the directories for unpacked assets. Calls `warn` when a cache cannot be written to. */
export function assetPlaces(host: Host, mayUnpack: boolean, warn: (message: string) => void): AssetPlaces {
  const { tempDir, uid, now } = host;
  const fallbackDir = join(tempDir, `mementor-${uid ?? "user"}`);
  return { cacheDir: userPaths(host).cacheDir, fallbackDir, uid, mayUnpack, now, warn };
}

/**
 * Returns the directory of models. Earlier versions kept models below `~/.local/share` on every platform, and models there stay
 * in use.
 */
function modelsDirOf(host: Host): string {
  const place = join(dataHomeOf(host), "mementor", "models");
  const earlier = join(host.homeDir, ".local", "share", "mementor", "models");
  if (place === earlier || absolute(host.env.XDG_DATA_HOME) !== null) return place;
  return !existsSync(place) && existsSync(earlier) ? earlier : place;
}

/** Returns the platform's directory for a user's data. `XDG_DATA_HOME` overrides it on every platform. */
function dataHomeOf({ env, homeDir, platform }: Host): string {
  const named = absolute(env.XDG_DATA_HOME);
  if (named !== null) return named;
  if (platform === "darwin") return join(homeDir, "Library", "Application Support");
  if (platform === "win32") return absolute(env.LOCALAPPDATA) ?? join(homeDir, "AppData", "Local");
  return join(homeDir, ".local", "share");
}

function absolute(path: string | undefined): string | null {
  return path !== undefined && /^(?:\/|[A-Za-z]:[\\/])/.test(path) ? path : null;
}

/** Homebrew's SQLite libraries on macOS, whose own SQLite refuses extensions. */
export const HOMEBREW_SQLITE = ["/opt/homebrew", "/usr/local"].map(
  (prefix) => `${prefix}/opt/sqlite/lib/libsqlite3.dylib`,
);
