import { appendFileSync } from "node:fs";
import { MementorError } from "../../../src/errors.ts";
import { connect } from "../../../src/store/postgres/client/connect.ts";
import { teamServer } from "../../../src/store/postgres/postgres.ts";
import { NO_PLAN } from "../../../src/store/sqlite/forget/plan.ts";
import type { SqliteStore } from "../../../src/store/sqlite/sqlite.ts";
import { type SyncResult, syncMemory } from "../../../src/sync/team/sync.ts";
import { batch, embedAll, MODEL, source, turn } from "../../store/builders.ts";
import { someWay } from "../../support/wait.ts";
import { type HeldTurn, MemberFiles } from "./memory.ts";
import { seeded } from "./seeded.ts";

/**
 * The process of a member: `work` writes, changes, unshares, forgets and syncs until it is killed; `settle` syncs until
 * nothing changes, and prints whether anything did.
 */
const [mode = "", directory = "", author = "", url = "", project = "", seed = "", paceMs = ""] =
  process.argv.slice(2);
const files = new MemberFiles(directory, author);
const random = seeded(Number(seed));

/** What a broken network or server may cause; anything else is a mistake of the program. */
const EXPECTED = new Set(["server_unreachable", "server_busy", "server_login", "timeout"]);

/** How long a memory waits for others to rewrite its file without what was removed, ms. */
const COMPACT_MS = 10_000;

const store = await files.open();
await store.team.join({ project: "shop", author });
await store.team.share({ since: null, branches: [], onlyMarked: false, subagents: false });
await read(store);
if (mode === "settle") {
  let changes = 0;
  for (let round = 0; round < 20; round++) {
    const { pushed, added, updated, removed } = await syncOnce(store);
    changes += pushed + added + updated + removed;
    if (pushed + added + updated + removed === 0) break;
  }
  await store.close();
  process.stdout.write(JSON.stringify({ changes }));
} else {
  for (;;) {
    await act(store).catch(complain);
    await someWay(Number(paceMs) * random());
  }
}

async function act(store: SqliteStore): Promise<void> {
  const dice = random();
  const mine = () => files.turns().filter((held) => held.author === author && held.isShared);
  if (dice < 0.3) return write(store, `${author}-${crypto.randomUUID()}`);
  if (dice < 0.4) return write(store, chosen([...files.lines().keys()]));
  if (dice < 0.44) return removeFromTeam(store, "unshare", chosen(mine()));
  if (dice < 0.47) return removeFromTeam(store, "forget", chosen(mine()));
  await syncOnce(store);
}

async function write(store: SqliteStore, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  files.append({ id, text: `tea of ${id}, kettle ${Math.floor(random() * 1e6)}` });
  await read(store);
}

async function removeFromTeam(
  store: SqliteStore,
  how: "unshare" | "forget",
  turn: HeldTurn | undefined,
): Promise<void> {
  if (turn === undefined) return;
  files.note({ id: turn.id, how, state: "tried" });
  if (how === "unshare") await store.team.unshare([turn.turnId]);
  else await store.forget.forget({ ...NO_PLAN, turnIds: [turn.turnId] });
  files.note({ id: turn.id, how, state: "done" });
}

/** Reads the whole transcript, and embeds what is new. */
async function read(store: SqliteStore): Promise<void> {
  const lines = [...files.lines()];
  if (lines.length === 0) return;
  const turns = lines.map(([id, text], i) =>
    turn(i, `[User] ${id}\n\n[Assistant] ${text}`, {
      sessionId: files.session,
      promptUuid: id,
      entryUuids: [id],
      cwd: null,
    }),
  );
  const path = `/transcripts/${author}.jsonl`;
  await store.ingest.write(batch(turns, { source: source({ path, sessionId: files.session }) }));
  await embedAll(store);
}

async function syncOnce(store: SqliteStore): Promise<SyncResult> {
  const server = teamServer({
    server: await connect(url, { env: {}, home: "/nowhere" }),
    project: Number(project),
    model: MODEL.id,
  });
  const result = await syncMemory({
    store: store.team,
    server,
    exclusions: { isPathExcluded: () => false, isProjectExcluded: false, openSince: "" },
    keep: { from: null, until: null, maxTurns: 1_000_000 },
    isAlone: true,
    locked: (step) => step(),
    signal: new AbortController().signal,
  }).finally(() => server.close());
  if (await store.file.needsCompact()) await store.file.compact(COMPACT_MS);
  return result;
}

function chosen<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

function complain(error: unknown): void {
  if (error instanceof MementorError && EXPECTED.has(error.code)) return;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const code = error instanceof MementorError ? error.code : "";
  appendFileSync(files.errors, `${code} ${text.replaceAll("\n", " ")}\n`);
}
