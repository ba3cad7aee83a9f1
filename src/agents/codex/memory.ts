import { join } from "node:path";
import type { Environment, MemoryFile } from "../agent.ts";
import { absolutePath, entriesOf } from "../files.ts";

/** Lists the files in which Codex keeps what it remembers, of all projects. */
export function memoryFiles(_root: string, environment: Environment): MemoryFile[] {
  const folder = join(codexDirectory(environment), "memories");
  return entriesOf(folder)
    .filter((entry) => entry.isFile() && /\.md$/i.test(entry.name))
    .map(({ name }) => ({ path: join(folder, name), lines: null }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns Codex's directory: `${CODEX_HOME:-~/.codex}`. A relative setting is ignored. */
export function codexDirectory({ env, homeDir }: Pick<Environment, "env" | "homeDir">): string {
  return absolutePath(env.CODEX_HOME) ?? join(homeDir, ".codex");
}
