import { dependencies, version } from "../package.json" with { type: "json" };

declare const MEMENTOR_COMMIT: string | undefined;
declare const MEMENTOR_TARGET: string | undefined;

/** Version, commit and target compiled in by `build.ts`; `source` when run from source. */
export const VERSION = version;
/** Versions of the packages that the program is built with. */
export const LIBRARIES = dependencies;
export const COMMIT = typeof MEMENTOR_COMMIT === "string" ? MEMENTOR_COMMIT : "source";
export const TARGET =
  typeof MEMENTOR_TARGET === "string" ? MEMENTOR_TARGET : `${process.platform}-${process.arch}`;
export const VERSION_LINE = `mementor ${VERSION} (${COMMIT}, ${TARGET})`;
