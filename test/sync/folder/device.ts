import { Database } from "bun:sqlite";
import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Turn } from "../../../src/domain.ts";
import type { TurnMarkKind } from "../../../src/store/marks.ts";
import { NO_PLAN } from "../../../src/store/sqlite/forget/plan.ts";
import type { SqliteStore } from "../../../src/store/sqlite/sqlite.ts";
import { projectTag } from "../../../src/sync/folder/key.ts";
import { MANIFEST_NAME, openManifest, openSegment } from "../../../src/sync/folder/manifest.ts";
import type { FolderRequest } from "../../../src/sync/folder/settings.ts";
import { type FolderResult, syncFolder } from "../../../src/sync/folder/sync.ts";
import { batch, openStore, source, turn } from "../../store/builders.ts";
import { Replica } from "./cloud.ts";

export const PROJECT = "github.com/acme/shop";

/** What stands for the death of a process. */
export class Crash extends Error {}

/** A machine of the user: transcripts, a memory that can be lost, and a copy of the folder. */
export class Device {
  readonly name: string;
  readonly replica = new Replica();
  readonly #file: string;
  readonly #id: string;
  /** The prompts in its transcripts, by id. */
  readonly #prompts = new Map<string, { text: string; session: string }>();
  #backups = 0;
  key: Uint8Array;
  formerKeys: Uint8Array[] = [];
  /** How often its memory was replaced. */
  replaced = 0;

  constructor(directory: string, name: string, key: Uint8Array) {
    this.name = name;
    this.key = key;
    this.#id = new Bun.CryptoHasher("sha256").update(name).digest("hex").slice(0, 16);
    this.#file = join(directory, `${name}.db`);
  }

  async start(): Promise<void> {
    await (await openStore(this.#file)).close();
    await this.work(({ folder }) => folder.join());
  }

  async work<Result>(task: (store: SqliteStore) => Promise<Result>): Promise<Result> {
    const store = await openStore(this.#file);
    try {
      return await task(store);
    } finally {
      await store.close();
    }
  }

  get ids(): string[] {
    return [...this.#prompts.keys()];
  }

  /** Writes a turn into a transcript, its own if none is named, or changes it, and reads it. */
  async write(
    id: string,
    text: string,
    session = this.#prompts.get(id)?.session ?? this.name,
  ): Promise<void> {
    this.#prompts.set(id, { text, session });
    await this.#read();
  }

  /** Stores a note, which no transcript has. */
  async note(id: string, text: string): Promise<void> {
    const noted = turn(0, `[User] ${text}`, { sessionId: id, promptUuid: id, entryUuids: [id], cwd: null });
    const session = { sessionId: id, client: "note", projectDir: null, title: null, titleSource: null };
    const facts = {
      ...session,
      firstPrompt: text,
      automated: null,
      branch: null,
      startedAt: null,
      endedAt: null,
    };
    const read = source({ path: `/notes/${id}`, sessionId: id });
    await this.work(({ ingest }) => ingest.write(batch([noted], { source: read, sessions: [facts] })));
  }

  textOf(id: string): string {
    return this.#prompts.get(id)?.text ?? "";
  }

  /** Syncs once; with `crashAt`, the process dies at that step, before or after its work. */
  async sync(
    crashAt = Number.POSITIVE_INFINITY,
    given: Partial<FolderRequest> = {},
  ): Promise<FolderResult | "crashed"> {
    let steps = 0;
    const step = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (steps++ === crashAt) throw new Crash();
      const result = await work();
      if (steps++ === crashAt) throw new Crash();
      return result;
    };
    const { files } = this.replica;
    return this.work(async ({ folder }) =>
      syncFolder({
        store: folder,
        files: {
          ...files,
          write: (...args) => step(() => files.write(...args)),
          remove: (...args) => step(() => files.remove(...args)),
        },
        key: this.key,
        formerKeys: this.formerKeys,
        project: PROJECT,
        device: { id: this.#id, name: this.name },
        exclusions: { isPathExcluded: () => false, isProjectExcluded: false, openSince: "" },
        until: "2030-01-01T00:00:00.000Z",
        acceptsOlder: false,
        startsAnew: true,
        locked: step,
        now: () => "2026-03-04T10:00:00.000Z",
        signal: new AbortController().signal,
        ...given,
      }),
    ).catch((error: unknown) => {
      if (error instanceof Crash) return "crashed";
      throw error;
    });
  }

  async forget(id: string): Promise<void> {
    const turnIds = this.rows()
      .filter((row) => row.id === id)
      .map(({ turnId }) => turnId);
    await this.work(({ forget }) => forget.forget({ ...NO_PLAN, turnIds }));
  }

  async prune(id: string): Promise<void> {
    const turnIds = this.rows()
      .filter((row) => row.id === id)
      .map(({ turnId }) => turnId);
    await this.work(({ forget }) => forget.prune({ ...NO_PLAN, turnIds }));
  }

  async mark(id: string, kind: TurnMarkKind, isOn: boolean): Promise<void> {
    for (const { turnId } of this.rows().filter((row) => row.id === id))
      await this.work(({ marks }) => (isOn ? marks.mark(turnId, kind) : marks.unmark(turnId, kind)));
  }

  /** The turns of its memory: the id of the prompt, the text, the marks, and the device where it was said. */
  rows(): { turnId: number; id: string; text: string; marks: string; device: string | null }[] {
    const db = new Database(this.#file, { readonly: true });
    const rows = db
      .query<{ turnId: number; id: string; text: string; marks: string; device: string | null }, []>(
        `SELECT t.id AS turnId, t.prompt_uuid AS id, t.full_text AS text, w.name AS device,
           (SELECT coalesce(group_concat(kind), '') FROM (SELECT kind FROM turn_marks m WHERE m.turn_id = t.id ORDER BY kind)) AS marks
         FROM turns t LEFT JOIN folder_turns f ON f.turn_id = t.id LEFT JOIN folder_writers w ON w.writer = f.home
         ORDER BY t.prompt_uuid`,
      )
      .all();
    db.close();
    return rows;
  }

  /** Replaces a word in all texts, as a command that cleans does. */
  edit(from: string, to: string): void {
    const db = new Database(this.#file);
    db.run("UPDATE chunks SET content = replace(content, ?1, ?2)", [from, to]);
    db.run("UPDATE turns SET full_text = replace(full_text, ?1, ?2)", [from, to]);
    db.close();
  }

  async backUp(): Promise<void> {
    this.#settle();
    copyFileSync(this.#file, `${this.#file}.backup-${this.#backups++}`);
  }

  /** Puts an earlier memory in place, and reads the transcripts, which the backup does not touch. */
  async restore(): Promise<void> {
    if (this.#backups === 0) return;
    await this.#replace(`${this.#file}.backup-${--this.#backups}`);
  }

  async takeOver(other: Device): Promise<void> {
    other.#settle();
    await this.#replace(other.#file);
  }

  /** The bytes of its memory, after what was removed is overwritten. */
  async bytes(): Promise<Buffer> {
    await this.work(({ file }) => file.compact(0));
    this.#settle();
    return readFileSync(this.#file);
  }

  /** All that is in its own directory of the folder, in clear. */
  async put(): Promise<string> {
    const self = await this.work(({ folder }) => folder.self());
    const project = projectTag(this.key, PROJECT);
    const writer = self?.writer ?? "";
    const path = [...this.replica.content.keys()].filter((name) => name.includes(`/${writer}/`));
    const texts: string[] = [];
    for (const name of path) {
      const sealed = this.replica.content.get(name) ?? new Uint8Array(0);
      const open = await openManifest(this.key, project, writer, sealed);
      if (!name.endsWith(MANIFEST_NAME)) {
        const segment = (await this.work(({ folder }) => folder.segments())).find((each) =>
          name.endsWith(each.name),
        );
        texts.push(
          segment === undefined
            ? `unlisted ${name}`
            : JSON.stringify(await openSegment({ key: this.key, project, writer }, segment, sealed)),
        );
      } else texts.push(JSON.stringify(open?.manifest));
    }
    return texts.join("\n");
  }

  async #read(): Promise<void> {
    for (const [session, prompts] of Map.groupBy(this.#prompts, ([, prompt]) => prompt.session)) {
      const turns: Turn[] = prompts.map(([id, { text }], i) =>
        turn(i, `[User] ${id}\n\n[Assistant] ${text}`, {
          ...{ sessionId: `session-of-${session}`, promptUuid: id, entryUuids: [id], cwd: null },
        }),
      );
      const read = source({ path: `/transcripts/${session}.jsonl`, sessionId: `session-of-${session}` });
      await this.work(({ ingest }) => ingest.write(batch(turns, { source: read })));
    }
  }

  async #replace(from: string): Promise<void> {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(this.#file + suffix, { force: true });
    copyFileSync(from, this.#file);
    this.replaced++;
    if (this.#prompts.size > 0) await this.#read();
  }

  // The copy of a database is whole when its log is empty.
  #settle(): void {
    const db = new Database(this.#file);
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
  }
}
