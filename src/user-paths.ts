import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { claudeDirectory } from "./agents/claude-code/home.ts";
import type { AssetPlaces } from "./assets/catalog.ts";
import type { Host } from "./host.ts";
import { dataPlace } from "./project/data-place.ts";

/** The directories of a user. */
export interface UserPaths {
  /** `${XDG_CONFIG_HOME:-~/.config}/mementor`: the user's configuration and the registry of projects. */
  configDir: string;
  /** Directory of the memories; see `dataPlace`. */
  dataDir: string;
  isUnconfirmed: boolean;
  /** A directory of memories that the variables name and that is ignored; null for none. */
  ignoredDataDir: string | null;
  /** Other directories in which memories of the registry may lie. */
  otherDataDirs: readonly string[];
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
  const usualConfigDir = join(homeDir, ".config", "mementor");
  const xdgConfig = absolute(env.XDG_CONFIG_HOME);
  const configDir = xdgConfig === null ? usualConfigDir : join(xdgConfig, "mementor");
  const usual = resolve(configDir, relative(usualConfigDir, join(usualDataHome(host), "mementor")));
  const named = join(absolute(env.XDG_DATA_HOME) ?? platformDataHome(host), "mementor");
  const { dataDir, isUnconfirmed, ignored, others } = dataPlace(configDir, named, usual);
  return {
    configDir,
    dataDir,
    isUnconfirmed,
    ignoredDataDir: ignored,
    otherDataDirs: others,
    cacheDir: cacheDirOf(host),
    modelsDir: modelsDirOf(host, dataDir),
    claudeDir: claudeDirectory(host),
    refused: host.refused,
  };
}

/** Returns the directories for unpacked assets. Calls `warn` when a cache cannot be written to. */
export function assetPlaces(host: Host, mayUnpack: boolean, warn: (message: string) => void): AssetPlaces {
  const { tempDir, uid, now } = host;
  const fallbackDir = join(tempDir, `mementor-${uid ?? "user"}`);
  return { cacheDir: cacheDirOf(host), fallbackDir, uid, mayUnpack, now, warn };
}

/**
 * Returns the directory of models. Earlier versions kept models below `~/.local/share` on every platform, and models there stay
 * in use.
 */
function modelsDirOf(host: Host, dataDir: string): string {
  const place = join(dataDir, "models");
  const earlier = join(host.homeDir, ".local", "share", "mementor", "models");
  const isElsewhere = dataDir !== join(platformDataHome(host), "mementor");
  if (place === earlier || isElsewhere) return place;
  return !existsSync(place) && existsSync(earlier) ? earlier : place;
}

/** Returns the platform's directory for a user's data, as the system names it. `XDG_DATA_HOME` overrides it on every platform. */
function platformDataHome(host: Host): string {
  return (host.platform === "win32" && absolute(host.env.LOCALAPPDATA)) || usualDataHome(host);
}

/** Returns where the platform has a user's data when no variable names it. */
function usualDataHome({ homeDir, platform }: Host): string {
  if (platform === "darwin") return join(homeDir, "Library", "Application Support");
  return platform === "win32" ? join(homeDir, "AppData", "Local") : join(homeDir, ".local", "share");
}

function cacheDirOf({ env, homeDir }: Host): string {
  return absolute(env.XDG_CACHE_HOME) ?? join(homeDir, ".cache");
}

function absolute(path: string | undefined): string | null {
  return path !== undefined && /^(?:\/|[A-Za-z]:[\\/])/.test(path) ? path : null;
}

/** Homebrew's SQLite libraries on macOS, whose own SQLite refuses extensions. */
export const HOMEBREW_SQLITE = ["/opt/homebrew", "/usr/local"].map(
  (prefix) => `${prefix}/opt/sqlite/lib/libsqlite3.dylib`,
);
