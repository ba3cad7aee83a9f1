import type { RootsOf } from "../transcript/transcript.ts";

/** More than anyone works in. Bounds the memory that a hostile transcript can take. */
const MAX_DIRECTORIES = 1_000;

/** Caches the roots of directories, so that the file system is read once for each. A project has few directories. */
export function rememberedRoots(rootsOf: RootsOf): RootsOf {
  const known = new Map<string, readonly string[]>();
  return (cwd) => {
    const before = known.get(cwd);
    if (before) return before;
    const roots = rootsOf(cwd);
    if (known.size < MAX_DIRECTORIES) known.set(cwd, roots);
    return roots;
  };
}
