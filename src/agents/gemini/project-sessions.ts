import { join } from "node:path";
import type { SessionQuery } from "../agent.ts";
import { entriesOf } from "../files.ts";
import { geminiDirectory } from "./home.ts";
import { projectRoot } from "./project-root.ts";
import { isGeminiFile } from "./source-file.ts";

/** Finds the main files of a project's sessions; an older version's file comes before the one that continues it. */
export function projectSessions({ environment, belongs, isWanted }: SessionQuery): string[] {
  const folders = join(geminiDirectory(environment), "tmp");
  const found: string[] = [];
  for (const folder of entriesOf(folders)) {
    if (!folder.isDirectory()) continue;
    const root = projectRoot(join(folders, folder.name));
    if (root === null || !belongs(root)) continue;
    const chats = join(folders, folder.name, "chats");
    for (const entry of entriesOf(chats)) {
      const file = join(chats, entry.name);
      if (entry.isFile() && isGeminiFile(file) && isWanted(file)) found.push(file);
    }
  }
  return found;
}
