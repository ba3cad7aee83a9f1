/** A file that a patch touches. */
export interface PatchedFile {
  path: string;
  isNew: boolean;
}

const FILE = /^\*\*\* (Add File|Update File|Delete File|Move to): (.*\S)\s*$/gm;
/** More than any patch that a model writes. */
export const MAX_PATCHED_FILES = 200;

/** Finds the files in a patch in the notation of the tool `apply_patch`, which several agents have. */
export function filesOfPatch(patch: string): PatchedFile[] {
  return [...patch.matchAll(FILE)]
    .slice(0, MAX_PATCHED_FILES)
    .map(([, kind, path]) => ({ path: path ?? "", isNew: kind === "Add File" || kind === "Move to" }));
}
