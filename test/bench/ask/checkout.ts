import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Task } from "./tasks.ts";

/** The end of the names of tests here, so that they are none of this repository's. */
const STORED = ".txt";

/** Writes the files of a task's repository, or of another directory of it, into a directory. */
export function layOut(task: Task, part: string, target: string): void {
  for (const file of filesOf(task, part))
    write(join(target, shownName(file)), readFileSync(join(task.directory, part, file)));
}

/** Writes the hidden tests of a task into a checkout, and returns their names there. */
export function layOutHidden(task: Task, target: string): string[] {
  return filesOf(task, "hidden").map((file) => {
    const name = `test/${shownName(file)}`;
    write(join(target, name), readFileSync(join(task.directory, "hidden", file)));
    return name;
  });
}

function filesOf({ directory }: Task, part: string): string[] {
  const folder = join(directory, part);
  if (!existsSync(folder)) throw new Error(`${folder} is missing`);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function shownName(file: string): string {
  return file.endsWith(STORED) ? file.slice(0, -STORED.length) : file;
}

function write(file: string, content: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
