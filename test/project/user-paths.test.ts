import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { createHost, type Host } from "../../src/host.ts";
import { userPaths } from "../../src/user-paths.ts";
import { tempDir } from "../store/builders.ts";

function paths(platform: NodeJS.Platform, homeDir: string, env: Record<string, string> = {}) {
  const host: Host = { ...createHost(process), platform, homeDir, env };
  const { dataDir, modelsDir } = userPaths(host);
  return { dataDir, modelsDir };
}

test("models are in the data directory of each platform", () => {
  using directory = tempDir();
  const home = directory.path;
  const inside = (dataDir: string) => ({ dataDir, modelsDir: join(dataDir, "models") });
  expect(paths("linux", home)).toEqual(inside(join(home, ".local/share/mementor")));
  expect(paths("darwin", home)).toEqual(inside(join(home, "Library/Application Support/mementor")));
  expect(paths("win32", home)).toEqual(inside(join(home, "AppData/Local/mementor")));
  expect(paths("darwin", home, { XDG_DATA_HOME: "/data" })).toEqual(inside("/data/mementor"));
});

test("models that an earlier version installed stay in use, until there are some in the data directory", () => {
  using directory = tempDir();
  const home = directory.path;
  const earlier = join(home, ".local/share/mementor/models");
  const place = join(home, "Library/Application Support/mementor/models");
  mkdirSync(earlier, { recursive: true });
  expect(paths("darwin", home).modelsDir).toBe(earlier);
  expect(paths("darwin", home, { XDG_DATA_HOME: "/data" }).modelsDir).toBe("/data/mementor/models");
  mkdirSync(place, { recursive: true });
  expect(paths("darwin", home).modelsDir).toBe(place);
});
