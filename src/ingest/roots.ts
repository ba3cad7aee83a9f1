import type { RootsOf } from "../transcript/transcript.ts";

/** Far more than anybody works in; a transcript that makes them up costs no memory. */
const MOST_DIRECTORIES = 1_000;

/** Returns the same roots without asking the file system twice: the transcripts of a project tell of few directories. */
export function rememberedRoots(rootsOf: RootsOf): RootsOf {
  const known = new Map<string, readonly string[]>();
  return (cwd) => {
    const before = known.get(cwd);
    if (before) return before;
    const roots = rootsOf(cwd);
    if (known.size < MOST_DIRECTORIES) known.set(cwd, roots);
    return roots;
  };
}
