import type { JsonObject } from "../../transcript/json.ts";
import { objectOf, stringOf } from "../../transcript/json.ts";

/** A file that a patch touches. */
export interface PatchedFile {
  path: string;
  isNew: boolean;
}

const FILE = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$/gm;
/** More than any patch that a model writes. */
const MAX_FILES = 200;

/** Finds the files in a patch in Codex's own notation. */
export function filesOfPatch(patch: string): PatchedFile[] {
  return [...patch.matchAll(FILE)]
    .slice(0, MAX_FILES)
    .map(([, kind, path]) => ({ path: path ?? "", isNew: kind === "Add File" || kind === "Move to" }));
}

/** Finds the files in the changes that Codex records after a patch: `{path: {type, move_path}}`. */
export function filesOfChanges(changes: JsonObject | null): PatchedFile[] {
  return Object.entries(changes ?? {})
    .slice(0, MAX_FILES)
    .flatMap(([path, given]) => {
      const change = objectOf(given);
      const moved = stringOf(change?.move_path);
      const file = { path, isNew: change?.type === "add" };
      return moved === null ? [file] : [file, { path: moved, isNew: true }];
    });
}
