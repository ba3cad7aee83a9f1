import { dirname, join } from "node:path";
import { MementorError } from "../errors.ts";
import type { Project } from "../io/git/project.ts";
import { realPathIfExists, statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import { type Adoptable, findAdoptable } from "./adoptable.ts";
import { unconfirmedPlaceError } from "./data-place.ts";
import type { UserDirs } from "./memory.ts";
import { isRegistryClosed, readRegistry, registryPath } from "./registry.ts";
import { TREE_DIRECTORY } from "./tree.ts";
import { type MemoryOrigin, memoryOrigin, projectTrust } from "./trust.ts";

/**
 * Returns why a project's memory is not read: it was moved, was not made here, or its place is unconfirmed. Null if it may be
 * read.
 */
export function memoryRefusal(dirs: UserDirs, root: string): MementorError | null {
  if (dirs.isUnconfirmed) return unconfirmedPlaceError(dirs);
  if (memoryOrigin(dirs, root) !== "foreign") return null;
  const adoptable = findAdoptable(dirs, readRegistry(dirs.configDir), root);
  return adoptable && notTaken(adoptable);
}

/** Returns the error for a project without a memory. */
export function noMemory(dirs: UserDirs, root: string): MementorError {
  if (dirs.isUnconfirmed) return unconfirmedPlaceError(dirs);
  if (isRegistryClosed(dirs.configDir)) return closedRegistry(dirs);
  if (projectTrust(dirs, root) === "off") {
    const { refused = [] } = dirs;
    const hint =
      refused.length === 0
        ? 'Run "mementor enable" there.'
        : `Run "mementor enable" there. Note that ${refused.join(", ")} was ignored: "mementor doctor" says why.`;
    return new MementorError("not_found", `mementor is not enabled in ${root}.`, { hint });
  }
  return new MementorError("not_found", `${root} has no memory yet.`, {
    hint: 'The first conversation makes one; "mementor ingest" reads those that are on disk.',
  });
}

/** Returns the error for a registry of projects that is another user's. */
export function closedRegistry({ configDir }: Pick<UserDirs, "configDir">): MementorError {
  return new MementorError(
    "not_found",
    `${registryPath(configDir)} cannot be read by this user, so no project is enabled.`,
    { hint: "Run mementor as the user whose it is, or with a home directory of your own." },
  );
}

/** Returns the refusal for agents in a project that the user has not enabled; null in an enabled one. */
export function notEnabled(dirs: UserDirs, root: string): MementorError | null {
  return projectTrust(dirs, root) === "off" ? noMemory(dirs, root) : null;
}

/** Returns the error for a memory that is not to be read: it was not made here, or is not where it belongs yet. */
export function notReadable(
  dirs: UserDirs,
  root: string,
  origin: MemoryOrigin,
  databaseFile: string,
): MementorError {
  if (origin === "unmoved")
    return new MementorError("db_locked", "an older mementor is still using this project's memory", {
      hint: "Try again when it has ended: then the memory is moved to your data directory.",
    });
  return memoryRefusal(dirs, root) ?? notTaken({ kind: "database", file: databaseFile });
}

/** Returns the error for a memory that the user did not ask to adopt. */
export function notTaken(adoptable: Adoptable): MementorError {
  if (adoptable.kind === "elsewhere")
    return new MementorError(
      "db_foreign",
      `The memory of this project lies in ${adoptable.directory}, and not in ${adoptable.dataDir}.`,
      { hint: "To take it over: mementor enable --adopt" },
    );
  if (adoptable.kind !== "memory")
    return new MementorError("db_foreign", `${adoptable.file} was not made here, so it is not read`, {
      hint: 'Whoever made it could tell an agent anything. If it is yours, from another machine or another tool, take it over with "mementor enable --adopt"; otherwise delete it.',
    });
  const { directory, formerRoot } = adoptable;
  if (formerRoot !== null)
    return new MementorError("db_foreign", `This project was at ${formerRoot}, which no longer exists.`, {
      hint: "To take over its memory: mementor enable --adopt",
    });
  return new MementorError(
    "db_foreign",
    `it is unknown which project the memory at ${directory} belongs to`,
    {
      hint: `If it belongs to this project, take it over with "mementor enable --adopt"; otherwise delete ${TREE_DIRECTORY}/pointer.json.`,
    },
  );
}

/**
 * Returns the error for a `--db` file that is not a memory's database. It does not advise moving the file, which may have been
 * named by mistake.
 */
export function namedFileError(error: unknown): unknown {
  const isOther =
    error instanceof MementorError && (error.code === "db_foreign" || isNoDatabase(error.cause));
  return isOther
    ? new MementorError(error.code, error.message, {
        hint: 'Name the database of a memory after "--db". This file stays as it is.',
        cause: error,
      })
    : error;
}

function isNoDatabase(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && String(cause.code).startsWith("SQLITE_NOTADB");
}

/** Files at the root of a project outside a repository. */
const MARKS = [
  ".git .hg .svn .jj .claude .mementor CLAUDE.md AGENTS.md README.md README package.json pyproject.toml setup.py",
  "requirements.txt Cargo.toml go.mod pom.xml build.gradle Gemfile composer.json CMakeLists.txt Makefile deno.json",
]
  .join(" ")
  .split(" ");

/** Throws `usage` where a memory would cover everything: in the home directory, above it, and at the root of a disk. */
export function requireProjectDirectory({ root }: Project, homeDir: string): void {
  const home = realPathIfExists(homeDir) ?? homeDir;
  const isTop = dirname(root) === root;
  if (!isTop && !SYSTEM.isWithin(home, root)) return;
  const what =
    root === home ? "your home directory" : isTop ? "the root of the disk" : "above your home directory";
  throw new MementorError("usage", `${root} is ${what}, not a project.`, {
    hint: "Name the directory of a project: mementor -C DIR enable. For all your projects: mementor enable --scope user",
  });
}

/** Tells whether a directory is in a repository, or has at its top what projects have there. */
export function looksLikeProject({ root, isGit }: Project): boolean {
  return isGit || MARKS.some((name) => statIfExists(join(root, name)) !== null);
}
