import { join } from "node:path";
import type { Environment, MemoryFile } from "../agent.ts";
import { entriesOf } from "../files.ts";
import { claudeDirectory } from "./home.ts";
import { folderName } from "./project-sessions.ts";

/** The file that Claude Code loads, and how much of it. It opens others of the folder when it takes them to be useful. */
const LOADED = { name: "MEMORY.md", lines: 200 } as const;

/** Lists the files in which Claude Code keeps what it remembers of a project, that which it always loads first. */
export function memoryFiles(root: string, environment: Environment): MemoryFile[] {
  const folder = join(claudeDirectory(environment), "projects", folderName(root), "memory");
  const others = entriesOf(folder).filter((entry) => entry.isFile() && /\.md$/i.test(entry.name));
  const names = others.map(({ name }) => name).filter((name) => name !== LOADED.name);
  return [
    { path: join(folder, LOADED.name), lines: LOADED.lines },
    ...names.sort().map((name) => ({ path: join(folder, name), lines: null })),
  ];
}
