import { resolve } from "node:path";
import { MementorError } from "../../errors.ts";
import { findAt } from "../../project/histories.ts";
import type { ProjectMemory } from "../../project/memories.ts";
import type { Runtime } from "../../runtime.ts";
import { allMemories } from "./memories.ts";

/** Names to suggest, at most. */
const SUGGESTED = 10;

/**
 * Finds the memory of a project by a path in it or by its name. Rejects with `not_found` where the user's registry has
 * no such project: nothing else says which memories there are.
 */
export function findMemory(runtime: Runtime, typed: string, cwd: string): ProjectMemory {
  const { memories } = allMemories(runtime);
  const path = resolve(cwd, typed);
  const { root } = findAt(path);
  const found =
    memories.find((memory) => memory.name === typed) ??
    memories.find((memory) => memory.root === path || memory.root === root);
  if (found) return found;
  const names = memories.slice(0, SUGGESTED).map(({ name }) => name);
  throw new MementorError("not_found", `No project "${typed}" has a memory.`, {
    hint: names.length === 0 ? "There are no memories yet." : `Known projects: ${names.join(", ")}.`,
  });
}
