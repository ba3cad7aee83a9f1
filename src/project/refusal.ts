import { MementorError } from "../errors.ts";
import { type Adoptable, findAdoptable } from "./adoptable.ts";
import type { UserDirs } from "./memory.ts";
import { readRegistry } from "./registry.ts";
import { TREE_DIRECTORY } from "./tree.ts";
import { memoryOrigin } from "./trust.ts";

/** Returns why a project's memory is not read: it was moved, or was not made here. Null for any other project. */
export function refusalOf(dirs: UserDirs, root: string): MementorError | null {
  if (memoryOrigin(dirs, root) !== "foreign") return null;
  const adoptable = findAdoptable(dirs, readRegistry(dirs.configDir), root);
  return adoptable && notTaken(adoptable);
}

/** Returns the error for a memory that the user did not ask to adopt. */
export function notTaken(adoptable: Adoptable): MementorError {
  if (adoptable.kind !== "memory")
    return new MementorError("db_foreign", `${adoptable.file} was not made here, so it is not read`, {
      hint: 'Whoever made it could tell Claude anything. If it is yours, from another machine or another tool, take it over with "mementor enable --adopt"; else delete it.',
    });
  const { directory, formerRoot } = adoptable;
  if (formerRoot !== null)
    return new MementorError("db_foreign", `This project was at ${formerRoot}, which is gone.`, {
      hint: "To take its memory along: mementor enable --adopt",
    });
  return new MementorError(
    "db_foreign",
    `it is not known which project the memory at ${directory} belongs to`,
    {
      hint: `If it belongs to this project, take it over with "mementor enable --adopt"; else delete ${TREE_DIRECTORY}/pointer.json.`,
    },
  );
}
