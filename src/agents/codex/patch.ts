import { type JsonObject, objectOf, stringOf } from "../../transcript/json.ts";
import { MAX_PATCHED_FILES, type PatchedFile } from "../../transcript/tools/patch.ts";

/** Finds the files in the changes that Codex records after a patch: `{path: {type, move_path}}`. */
export function filesOfChanges(changes: JsonObject | null): PatchedFile[] {
  return Object.entries(changes ?? {})
    .slice(0, MAX_PATCHED_FILES)
    .flatMap(([path, given]) => {
      const change = objectOf(given);
      const moved = stringOf(change?.move_path);
      const file = { path, isNew: change?.type === "add" };
      return moved === null ? [file] : [file, { path: moved, isNew: true }];
    });
}
