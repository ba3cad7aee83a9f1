import { basename, dirname, join } from "node:path";
import { readIfExists, statIfExists } from "../../io/read.ts";
import { parseObject, stringOf } from "../../transcript/json.ts";
import { absolutePath, entriesOf } from "../files.ts";
import { projectFolder } from "./path.ts";

/** Returns the name of a project's folder: its directory, each character but letters and digits a hyphen. */
export function folderName(directory: string): string {
  return directory.replace(/^[/\\]+/, "").replace(/[^A-Za-z0-9]+/g, "-");
}

/**
 * Returns the directory of a transcript; null when it is not known. Its records do not say it: a file of the project's
 * folder does, or the folder's name, where such a directory exists.
 */
export function directoryOf(transcript: string): string | null {
  const folder = projectFolder(transcript);
  const trusted = parseObject(readIfExists(join(folder, ".workspace-trusted")) ?? "");
  return absolutePath(stringOf(trusted?.workspacePath) ?? undefined) ?? existing("/", basename(folder));
}

/** Finds the directory below another one whose name this is. Hyphens stand for separators and for themselves. */
function existing(parent: string, name: string): string | null {
  for (const entry of entriesOf(parent)) {
    const part = folderName(entry.name);
    if (part === "" || !entry.isDirectory()) continue;
    const path = join(parent, entry.name);
    if (part === name) return path;
    const found = name.startsWith(`${part}-`) ? existing(path, name.slice(part.length + 1)) : null;
    if (found !== null) return found;
  }
  return null;
}

/** Returns Cursor's directory of a transcript: `projects` is in it. */
export function cursorOf(transcript: string): string {
  return dirname(dirname(projectFolder(transcript)));
}

/** Returns the database of a session of the command line, if it has one: it also has what tools returned. */
export function storeOf(cursor: string, sessionId: string): string | null {
  const chats = join(cursor, "chats");
  const stores = entriesOf(chats).map(({ name }) => join(chats, name, sessionId, "store.db"));
  return stores.find((store) => statIfExists(store)?.isFile() === true) ?? null;
}
