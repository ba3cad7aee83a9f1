import type { RunningCall } from "../agents/running.ts";
import { MementorError } from "../errors.ts";
import { notEnabled } from "../project/refusal.ts";
import { type AskChannel, excludeAllSeen, excludeSeen } from "../recall/across/asker.ts";
import { openToRead } from "../recall/across/open-to-read.ts";
import type { AllProjectsRequest, AllProjectsResult } from "../recall/across/search.ts";
import type { TeamAnswer, TeamMemory } from "../recall/across/server.ts";
import { keywordsOnlyNote } from "../recall/next-model.ts";
import { readFilterFor } from "../recall/read-filter.ts";
import { requireKnown } from "../recall/unknown.ts";
import type { Runtime } from "../runtime.ts";
import type { Filter, TypedFilter } from "../store/filter.ts";
import type { ReadStore } from "../store/store.ts";
import { questionModel } from "./question-model.ts";
import type { SavedNote } from "./save-note.ts";

/** The memory as tools use it. */
export interface Memory {
  /**
   * Opens the memory for reading, calls `look`, and closes it. Between calls, the memory may be created, forgotten or
   * replaced.
   */
  read<T>(look: (store: ReadStore) => Promise<T>): Promise<T>;
  /** Embeds with the store's model. Resolves to null when it cannot be loaded now, and calls `onMissing` with the reason. */
  embed(
    text: string,
    store: ReadStore,
    onMissing?: (reason: MementorError) => void,
  ): Promise<Float32Array | null>;
  /** Stores a note that an agent wrote for the user. */
  note(text: string): Promise<SavedNote>;
  /** Reads the filters among a tool's arguments. */
  filter(args: TypedFilter, store: ReadStore): Promise<Filter>;
  /** Like `filter`, but excludes the asker's own context, unless the arguments name a session. */
  unseen(args: TypedFilter, store: ReadStore): Promise<Filter>;
  /** The kind of asker. Follow-up hints use its syntax: options for a command, arguments for a tool. */
  by: AskChannel["by"];
  /** The memory as one call of an agent asks it. */
  askedBy(call: RunningCall | null): Memory;
  now(): Date;
  /** Where paths in arguments start from. */
  cwd: string;
  /** The memory of another project, by its path or name. Rejects with `not_found` for one that is not registered. */
  of(project: string): Promise<Memory>;
  /** Reads the database of the team that the memory belongs to. Rejects with `usage` when it belongs to none. */
  team<T>(look: (team: TeamMemory) => Promise<T>): Promise<TeamAnswer<T>>;
  /** The memories of all projects. */
  all: {
    search(
      request: Omit<AllProjectsRequest, "filters" | "embed">,
      args: TypedFilter,
    ): Promise<AllProjectsResult & { note: string[] }>;
  };
}

/**
 * Returns the memory of a runtime's project; `cwd` is where paths in arguments start from. Loads the model when it is
 * first needed, and unloads it when it is unused for a while. Without `mayWrite`, a note is refused with `usage`. What only
 * other memories, teams and notes need is loaded for those.
 */
export function openMemory(
  runtime: Runtime,
  cwd: string,
  { mayWrite = true, by = "server" }: { mayWrite?: boolean; by?: AskChannel["by"] } = {},
): Memory {
  const embed = questionModel(runtime);
  const embedIn: Memory["embed"] = async (text, { models }, onMissing) =>
    embed(text, (await models.active())?.id, onMissing);
  const now = () => runtime.host.now();
  const filterOf = async (args: TypedFilter, { browse }: ReadStore, at: { cwd: string; root?: string }) => {
    const filter = await readFilterFor(args, { ...at, browse, now: now(), isTool: true });
    await requireKnown(filter, args, browse);
    return filter;
  };
  const memory = (
    open: () => Promise<ReadStore>,
    at: { cwd: string; root?: string },
    call: RunningCall | null = null,
  ): Memory => ({
    read: (look) => twiceWhereChanged(() => reading(open, look)),
    embed: embedIn,
    async note(text) {
      requireEnabled(runtime);
      if (!mayWrite) throw notFromHere();
      const { saveNote } = await import("./save-note.ts");
      return saveNote(runtime.renewed(), { text, author: "agent", by, embed: embedIn });
    },
    filter: (args, store) => filterOf(args, store, at),
    unseen: async (args, store) => excludeSeen(await filterOf(args, store, at), runtime, store, { by, call }),
    by,
    now,
    askedBy: (made) => memory(open, at, made),
    cwd: at.cwd,
    async team(look) {
      requireEnabled(runtime);
      const { askTeam } = await import("../recall/across/server.ts");
      return askTeam(runtime.renewed(at.root), look);
    },
    async of(project) {
      requireEnabled(runtime);
      const { findMemory, openMemory: openOther } = await import("../recall/across/memories.ts");
      const found = findMemory(runtime, project, cwd);
      return memory(() => openOther(runtime, found), { cwd: found.root, root: found.root }, call);
    },
    all: {
      async search(request, args) {
        requireEnabled(runtime);
        const { readFilters } = await import("../recall/across/filter.ts");
        const { searchAllProjects } = await import("../recall/across/search.ts");
        const filters = excludeAllSeen(await readFilters(args, runtime, cwd), runtime, { by, call });
        const note = new Set<string>();
        const embedOrNote = (text: string, id: string) =>
          embed(text, id, (reason) => note.add(keywordsOnlyNote(reason)));
        const found = await searchAllProjects(runtime, { ...request, filters, embed: embedOrNote });
        return { ...found, note: [...note] };
      },
    },
  });
  const here = async () => {
    requireEnabled(runtime);
    return openToRead(runtime.renewed());
  };
  return memory(here, { cwd });
}

/**
 * Throws for a project that is not enabled, whatever is stored of it. A database that the command line names is the
 * user's word.
 */
function requireEnabled(runtime: Runtime): void {
  if (runtime.databaseUrl !== null || runtime.memory.directory === null) return;
  const refusal = notEnabled(runtime.paths, runtime.project.root);
  if (refusal !== null) throw refusal;
}

/**
 * Returns the error for a server that was not started in the project, so that only a variable or the client names the project.
 */
function notFromHere(): MementorError {
  return new MementorError(
    "usage",
    "The server was not started in the project itself, so it stores nothing.",
    {
      hint: 'Ask the user to run "mementor note" in the project.',
    },
  );
}

async function reading<T>(
  open: () => Promise<ReadStore>,
  look: (store: ReadStore) => Promise<T>,
): Promise<T> {
  const store = await open();
  return look(store).finally(() => store.close());
}

/** Retries once if the memory changed during the read: a read-only sandbox reads without locks. */
async function twiceWhereChanged<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof MementorError && error.code === "db_locked") return read();
    throw error;
  }
}
