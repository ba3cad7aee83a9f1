import { Database } from "bun:sqlite";
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Turn } from "../../../src/domain.ts";
import { MementorError } from "../../../src/errors.ts";
import { NO_PLAN } from "../../../src/store/sqlite/forget/plan.ts";
import type { SqliteStore } from "../../../src/store/sqlite/sqlite.ts";
import type { Exclusions, Retention, Sharing, TeamServer } from "../../../src/store/team.ts";
import { type SyncRequest, syncMemory } from "../../../src/sync/team/sync.ts";
import { batch, openStore, source, turn } from "../../store/builders.ts";

export const ALL: Sharing = { since: null, branches: [], onlyMarked: false, subagents: false };
export const NO_EXCLUSIONS: Exclusions = {
  isPathExcluded: () => false,
  isProjectExcluded: false,
  openSince: "",
};

/** What stands for the death of a process. */
export class Crash extends Error {}

/** A computer of a member: transcripts, and a memory that can be lost. */
export class Machine {
  readonly author: string;
  readonly #file: string;
  readonly #server: TeamServer;
  /** The prompts in its transcripts, by id. */
  readonly #prompts = new Map<string, string>();
  #backups = 0;
  /** What it keeps of colleagues' turns. */
  keep: Retention = { from: null, until: null, maxTurns: 100_000 };
  /** How often a sync said that turns were removed. */
  removals = 0;
  /** How often its memory was replaced. */
  replaced = 0;

  constructor(directory: string, name: string, author: string, server: TeamServer) {
    this.author = author;
    this.#file = join(directory, `${name}.db`);
    this.#server = server;
  }

  async start(): Promise<void> {
    const store = await openStore(this.#file);
    await store.team.join({ project: "shop", author: this.author });
    await store.team.share(ALL);
    await store.close();
  }

  async leave(): Promise<void> {
    await this.work(({ team }) => team.leave());
  }

  async join(): Promise<void> {
    await this.work(async ({ team }) => {
      await team.join({ project: "shop", author: this.author });
      await team.share(ALL);
    });
  }

  /** Whether its memory is in no team. */
  get isOut(): boolean {
    const db = new Database(this.#file, { readonly: true });
    const team = db.query("SELECT 1 FROM team").get();
    db.close();
    return team === null;
  }

  async work<Result>(task: (store: SqliteStore) => Promise<Result>): Promise<Result> {
    const store = await openStore(this.#file);
    try {
      return await task(store);
    } finally {
      await store.close();
    }
  }

  /** Writes a turn into a transcript, or changes it, and reads it. */
  async write(id: string, text: string): Promise<void> {
    this.#prompts.set(id, text);
    await this.#read();
  }

  get ids(): string[] {
    return [...this.#prompts.keys()];
  }

  textOf(id: string): string | undefined {
    return this.#prompts.get(id);
  }

  /**
   * Syncs once; with `crashAt`, the process dies at that step, before or after its work. Returns how it ended; `full` when the
   * server had no room for new turns.
   */
  async sync(crashAt = Number.POSITIVE_INFINITY): Promise<"done" | "crashed" | "full"> {
    let steps = 0;
    const step = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (steps++ === crashAt) throw new Crash();
      const result = await work();
      if (steps++ === crashAt) throw new Crash();
      return result;
    };
    const server = this.#server;
    return this.work(async ({ team }) => {
      await syncMemory({
        store: team,
        server: {
          ...server,
          devices: () => step(() => server.devices()),
          push: (...args) => step(() => server.push(...args)),
          pull: (...args) => step(() => server.pull(...args)),
        },
        exclusions: NO_EXCLUSIONS,
        keep: this.keep,
        onRemoval: async () => void this.removals++,
        isAlone: true,
        locked: step as SyncRequest["locked"],
        signal: new AbortController().signal,
      });
      return "done" as const;
    }).catch((error: unknown) => {
      if (error instanceof Crash) return "crashed";
      if (error instanceof MementorError && error.code === "server_full") return "full";
      throw error;
    });
  }

  async backUp(): Promise<void> {
    await this.#settle();
    copyFileSync(this.#file, this.#backupFile(this.#backups++));
  }

  /** Puts an earlier memory in place, and reads the transcripts, which the backup does not touch. */
  async restore(): Promise<void> {
    if (this.#backups === 0) return;
    await this.#replace(this.#backupFile(--this.#backups));
  }

  async takeOver(other: Machine): Promise<void> {
    await other.#settle();
    await this.#replace(other.#file);
  }

  async forget(id: string): Promise<void> {
    await this.work(({ forget }) => forget.forget({ ...NO_PLAN, turnIds: this.#turnsOf(id) }));
  }

  async prune(id: string): Promise<void> {
    await this.work(({ forget }) => forget.prune({ ...NO_PLAN, turnIds: this.#turnsOf(id) }));
  }

  async unshare(id: string): Promise<void> {
    await this.work(({ team }) => team.unshare(this.#turnsOf(id)));
  }

  #turnsOf(id: string): number[] {
    return this.rows()
      .filter((row) => row.id === id)
      .map(({ turnId }) => turnId);
  }

  /** The turns of its memory. `id` is that of the prompt; `shared` says whether the team has it from this member. */
  rows(): { turnId: number; author: string; id: string; text: string; shared: boolean }[] {
    const db = new Database(this.#file, { readonly: true });
    const rows = db
      .query<
        { turnId: number; author: string | null; id: string; text: string; shared: number; pulled: number },
        []
      >(
        `SELECT t.id AS turnId, t.author, t.prompt_uuid AS id, t.full_text AS text, t.device_id IS NOT NULL AS pulled,
           EXISTS (SELECT 1 FROM team_changes c WHERE c.turn_id = t.id AND c.kind = 'put') AS shared
         FROM turns t ORDER BY t.author, t.prompt_uuid`,
      )
      .all();
    db.close();
    return rows.map(({ turnId, author, id, text, shared, pulled }) => ({
      turnId,
      author: author ?? this.author,
      id,
      text,
      shared: shared !== 0 || pulled !== 0,
    }));
  }

  async #read(): Promise<void> {
    const turns: Turn[] = [...this.#prompts].map(([id, text], i) =>
      turn(i, `[User] ${id}\n\n[Assistant] ${text}`, {
        sessionId: `session-of-${this.#file}`,
        promptUuid: id,
        entryUuids: [id],
        cwd: null,
      }),
    );
    await this.work(({ ingest }) =>
      ingest.write(
        batch(turns, {
          source: source({ path: `${this.#file}.jsonl`, sessionId: `session-of-${this.#file}` }),
        }),
      ),
    );
  }

  async #replace(from: string): Promise<void> {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(this.#file + suffix, { force: true });
    copyFileSync(from, this.#file);
    this.replaced++;
    if (this.#prompts.size > 0) await this.#read();
  }

  // The copy of a database is whole when its log is empty.
  async #settle(): Promise<void> {
    const db = new Database(this.#file);
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
  }

  #backupFile(n: number): string {
    return `${this.#file}.backup-${n}`;
  }
}
