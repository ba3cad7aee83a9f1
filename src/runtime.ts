import { basename, join, resolve } from "node:path";
import type { Assets } from "./assets/catalog.ts";
import type { LoadedConfig } from "./config/config.ts";
import { loadConfigQuickly } from "./config/load.ts";
import { BUSY_TIMEOUT_MS } from "./constants.ts";
import type { Embedder, Tokenizer } from "./embed/embedder.ts";
import { BGE_SMALL } from "./embed/embedder.ts";
import type { InstalledModel } from "./embed/models/manifest.ts";
import type { EmbedPurpose } from "./embed/native/embedder.ts";
import type { EmbedderRequest } from "./embed/open.ts";
import { MementorError } from "./errors.ts";
import type { Host } from "./host.ts";
import { findProject, type Project } from "./io/git/project.ts";
import { type Log, openLog, SILENT_LOG } from "./project/log.ts";
import type { ProjectMemory } from "./project/memories.ts";
import { type Registry, readRegistry } from "./project/registry.ts";
import { TREE_CONFIG, treeDirectory } from "./project/tree.ts";
import { type MemoryOrigin, type MemoryPlace, memoryOrigin, memoryPlace } from "./project/trust.ts";
import type { OpenMode } from "./store/sqlite/file/open.ts";
import type { SqliteOptions, SqliteStore } from "./store/sqlite/sqlite.ts";
import type { ReadRequest, TeamReading } from "./sync/team/open.ts";
import { assetPlaces, HOMEBREW_SQLITE, type UserPaths, userPaths } from "./user-paths.ts";

export interface RuntimeOptions {
  /** Uses this database instead of the project's. */
  databaseFile?: string;
  /** URL of a team's database, without a password, to read instead of the project's. */
  databaseUrl?: string;
  /** True when the user accepts less than verified TLS from the server that the command line names. */
  isInsecure?: boolean;
  /** Directory in which to look for the project; the current directory when absent. */
  cwd?: string;
  mayUnpack?: boolean;
  memoryOptions?: readonly string[];
  /** Name of a project in a team; that of the repository's remote when absent. */
  teamProject?: string | undefined;
}

/** The services for commands and hooks. Each is created at first use, because most runs need few. */
export class Runtime {
  readonly host: Host;
  readonly paths: UserPaths;
  readonly #options: RuntimeOptions;
  /** URL of the team's database on the command line; null without one. */
  readonly databaseUrl: string | null;
  /** True when the command line has `--insecure`. */
  readonly isInsecure: boolean;
  readonly #cwd: string;
  /** The options with which the command line names the memory, such as `-C ../api`; none for the current directory. */
  readonly memoryOptions: readonly string[];
  /** Name of a project in a team, if the command line names one. */
  readonly teamProject: string | null;
  #project: Project | undefined;
  #registry: Registry | undefined;
  #config: LoadedConfig | undefined;
  #log: Log | undefined;
  #memory: MemoryPlace | undefined;
  #origin: MemoryOrigin | undefined;
  #assets: Promise<Assets> | undefined;

  /** `mayUnpack` is false for hooks: see `AssetPlaces`. */
  constructor(host: Host, options: RuntimeOptions = {}) {
    this.host = host;
    this.paths = userPaths(host);
    this.#options = options;
    this.databaseUrl = options.databaseUrl ?? null;
    this.isInsecure = options.isInsecure ?? false;
    this.#cwd = options.cwd ?? host.cwd;
    this.memoryOptions = options.memoryOptions ?? [];
    this.teamProject = options.teamProject ?? null;
  }

  get project(): Project {
    this.#project ??= findProject(this.#cwd);
    return this.#project;
  }

  /** The project's name for people. */
  get projectName(): string {
    return basename(this.teamProject ?? this.project.root);
  }

  /** The registry of projects as it was at its first use. */
  get registry(): Registry {
    this.#registry ??= readRegistry(this.paths.configDir);
    return this.#registry;
  }

  /** Throws `usage` if the command line names a team's database: for commands that only work on this machine. */
  requireLocal(): void {
    if (this.databaseUrl === null) return;
    throw new MementorError("usage", "This works only with the local memory, not with a team's database.", {
      hint: "Leave out --db.",
    });
  }

  get memory(): MemoryPlace {
    this.requireLocal();
    const { databaseFile } = this.#options;
    if (databaseFile !== undefined)
      return { directory: null, databaseFile: resolve(this.host.cwd, databaseFile) };
    this.#memory ??= memoryPlace(this.paths, this.project.root, this.registry);
    return this.#memory;
  }

  /** Returns a copy with empty caches, after the memory was created or adopted, or for another directory. */
  renewed(cwd = this.#cwd): Runtime {
    return new Runtime(this.host, { ...this.#options, cwd });
  }

  /** Returns a copy that never unpacks assets, for work that must not wait for it. */
  withoutUnpacking(): Runtime {
    return new Runtime(this.host, { ...this.#options, mayUnpack: false });
  }

  /** Returns the origin of the project's memory. A memory that was not made here is neither read nor written. */
  async origin(): Promise<MemoryOrigin> {
    this.#origin ??= memoryOrigin(this.paths, this.project.root, this.registry);
    return this.#origin;
  }

  /** Moves a memory that an older version made in the project to its place, like `relocateMemory`. */
  async settleMemory(patience: number, interrupted?: () => AbortSignal): Promise<boolean> {
    if (this.#isNamed || (await this.origin()) !== "unmoved") return true;
    const { relocateMemory } = await import("./project/move.ts");
    const isSettled = await relocateMemory(this.paths, this.project.root, patience, interrupted);
    this.#origin = undefined;
    this.#registry = undefined;
    return isSettled;
  }

  /** Returns the effective configuration. A bad value does not stop anything. */
  async config(): Promise<LoadedConfig> {
    if (this.#config) return this.#config;
    const directory = await this.#ownDirectory();
    this.#config = await loadConfigQuickly({
      userFile: join(this.paths.configDir, "config.json"),
      projectFile: directory && join(directory, "config.json"),
      treeFile: !this.#isNamed ? join(treeDirectory(this.project.root), TREE_CONFIG) : null,
      env: this.host.env,
    });
    return this.#config;
  }

  async log(): Promise<Log> {
    if (this.#log) return this.#log;
    const directory = await this.#ownDirectory();
    if (directory === null) return SILENT_LOG;
    const { level } = (await this.config()).config.log;
    this.#log = openLog({ directory: join(directory, "log"), level, now: this.host.now, pid: process.pid });
    return this.#log;
  }

  /** True when the command line names a database. */
  get #isNamed(): boolean {
    return this.#options.databaseFile !== undefined || this.databaseUrl !== null;
  }

  async #ownDirectory(): Promise<string | null> {
    if (this.databaseUrl !== null) return null;
    const { directory } = this.memory;
    return directory !== null && (await this.origin()) === "own" ? directory : null;
  }

  assets(): Promise<Assets> {
    this.#assets ??= this.#openAssets();
    return this.#assets;
  }

  /**
   * Opens the memory's database. Rejects with `not_found` when there is none, unless `create` is set, and with `db_foreign` when
   * it was not made here, unless `adopt` is set, which takes it over. With `--db`, the user vouches for the database.
   */
  async openStore(
    mode: OpenMode,
    options: { busyTimeoutMs?: number; adopt?: boolean; isOver?: () => boolean } = {},
  ): Promise<SqliteStore> {
    const opened = this.#open({
      identity: await this.#identity(options.adopt ?? false, mode),
      file: this.memory.databaseFile,
      mode,
      busyTimeoutMs: options.busyTimeoutMs ?? BUSY_TIMEOUT_MS.command,
      isOver: options.isOver,
      model: mode === "create" ? await this.#firstModel() : undefined,
    });
    return this.memory.directory === null
      ? opened.catch(async (error: unknown) => {
          throw (await import("./project/refusal.ts")).namedFileError(error);
        })
      : opened;
  }

  /**
   * Opens the memory of any of the user's projects for reading. Rejects with `db_foreign` when the database is not the
   * one that was made for this memory.
   */
  async openMemory(
    { id, databaseFile }: Pick<ProjectMemory, "id" | "databaseFile">,
    options: { busyTimeoutMs: number; isOver?: () => boolean },
  ): Promise<SqliteStore> {
    const identity = { id, adopt: false };
    return this.#open({ ...options, identity, file: databaseFile, mode: "readonly" });
  }

  /** Opens a project of a team's database for reading; see `openForReading`. */
  async openTeam(request: ReadRequest): Promise<TeamReading> {
    const { openForReading } = await import("./sync/team/open.ts");
    return openForReading(request, { env: this.host.env, home: this.host.homeDir });
  }

  async #open(
    wanted: Pick<SqliteOptions, "identity" | "file" | "mode" | "busyTimeoutMs" | "isOver" | "model">,
  ): Promise<SqliteStore> {
    const { openSqliteStore } = await import("./store/sqlite/sqlite.ts");
    const { tombstoneKey } = await import("./project/tombstone-key.ts");
    const log = await this.log();
    return openSqliteStore({
      ...wanted,
      vecLibrary: async () => (await this.assets()).path("sqlite-vec"),
      vectorBackend: "auto",
      now: () => this.host.now().toISOString(),
      tombstoneKey: () => tombstoneKey(this.paths.dataDir),
      customSqlite: this.host.platform === "darwin" ? HOMEBREW_SQLITE : [],
      log: (message) => log.warn("store", { message }),
    });
  }

  /**
   * Opens the embedder of a model, the built-in one by default. A caller with an open database names its active model. Rejects
   * with `embedder_unavailable` when no runtime can be loaded, and with `model_invalid` for an unusable model.
   */
  async openEmbedder(
    purpose: EmbedPurpose,
    modelId: string = BGE_SMALL.id,
    forced?: EmbedderRequest["runtime"],
  ): Promise<Embedder> {
    const { openEmbedder } = await import("./embed/open.ts");
    const log = await this.log();
    const runtime = forced ?? (await this.config()).config.embedding.runtime;
    const warn = (message: string) => log.warn("embedder", { message });
    const model = await this.#installedModel(modelId);
    return openEmbedder({ files: await this.assets(), model, runtime, purpose, warn });
  }

  async openTokenizer(): Promise<Tokenizer> {
    const { openTokenizer } = await import("./embed/open.ts");
    return openTokenizer(await this.assets());
  }

  /** Returns an installed model; null for the built-in one. */
  async #installedModel(id: string): Promise<InstalledModel | null> {
    if (id === BGE_SMALL.id) return null;
    const { installedModel } = await import("./embed/models/manifest.ts");
    return installedModel(this.paths.modelsDir, id);
  }

  /** Returns the model of a new database: the configured one, if it is on this machine. */
  async #firstModel(): Promise<{ id: string; dimensions: number }> {
    const { model } = (await this.config()).config.embedding;
    try {
      return (await this.#installedModel(model)) ?? BGE_SMALL;
    } catch (error) {
      (await this.log()).warn("embedder", { error });
      return BGE_SMALL;
    }
  }

  async #identity(adopt: boolean, mode: OpenMode): Promise<{ id: string; adopt: boolean } | undefined> {
    const { directory } = this.memory;
    if (directory === null) return undefined;
    const origin = await this.origin();
    if (origin === "own") return { id: basename(directory), adopt };
    if (origin === "none" && mode === "create") return undefined;
    if (origin === "none") {
      const { noMemory } = await import("./project/refusal.ts");
      throw noMemory(this.paths, this.project.root);
    }
    throw await this.notReadable();
  }

  /** Returns the error for a memory that must not be read, because it was not made here or is not in its place yet. */
  async notReadable(): Promise<MementorError> {
    const { notReadable } = await import("./project/refusal.ts");
    return notReadable(this.paths, this.project.root, await this.origin(), this.memory.databaseFile);
  }

  async #openAssets(): Promise<Assets> {
    const { openAssets } = await import("./assets/packed-assets.ts");
    const log = await this.log();
    return openAssets(
      assetPlaces(this.host, this.#options.mayUnpack ?? true, (message) => log.warn("assets", { message })),
    );
  }
}
