import { MementorError } from "../errors.ts";
import { optionalText } from "./arguments.ts";
import type { Memory } from "./memory.ts";

/** Stands for all of the user's projects. */
export const ALL_PROJECTS = "*";

/** The argument of tools that answer for one project. */
export const oneProject = {
  project: optionalText("Another project of the user, by its path or name; this project when absent"),
};

/** The argument of tools that can also answer for all projects. */
export const anyProject = {
  project: optionalText(
    'Another project of the user, by its path or name, or "*" for all of them; this project when absent',
  ),
};

/** Returns the memory that a tool's argument names. Throws for `*` where a tool answers for one project only. */
export function memoryOf(memory: Memory, project: string | null): Memory {
  if (project === null) return memory;
  if (project !== ALL_PROJECTS) return memory.of(project);
  throw new MementorError("usage", 'This tool answers for one project, not for "*".', {
    hint: "Name a project by its path or name, as results of search and recent do.",
  });
}
