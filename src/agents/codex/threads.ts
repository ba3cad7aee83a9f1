import { join } from "node:path";
import { type JsonObject, objectsOf, stringOf } from "../../transcript/json.ts";
import type { Environment } from "../agent.ts";
import { entriesOf } from "../files.ts";
import { readDatabase } from "../foreign-database.ts";
import { codexDirectory } from "./home.ts";

/** Returns the directories of threads, by id. */
export function threadDirectories(environment: Environment): Map<string, string> {
  const home = codexDirectory(environment);
  const names = entriesOf(home).map(({ name }) => name);
  const found = new Map<string, string>();
  for (const name of names.filter((each) => /^state(?:_\d+)?\.sqlite$/.test(each)))
    for (const { id, cwd } of threadsIn(join(home, name))) {
      const directory = stringOf(cwd);
      if (directory !== null) found.set(String(id), directory);
    }
  return found;
}

/** Empty for a database that cannot be read, or has other tables. */
function threadsIn(file: string): JsonObject[] {
  try {
    return objectsOf(readDatabase(file, (database) => database.query("SELECT id, cwd FROM threads").all()));
  } catch {
    return [];
  }
}
