import { join } from "node:path";
import type { Environment, MemoryFile } from "../agent.ts";
import { entriesOf } from "../files.ts";
import { codexDirectory } from "./home.ts";

/** Lists the files in which Codex keeps what it remembers, of all projects. */
export function memoryFiles(_root: string, environment: Environment): MemoryFile[] {
  const folder = join(codexDirectory(environment), "memories");
  return entriesOf(folder)
    .filter((entry) => entry.isFile() && /\.md$/i.test(entry.name))
    .map(({ name }) => ({ path: join(folder, name), lines: null }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
