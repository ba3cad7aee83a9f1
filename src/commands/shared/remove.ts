import { FORGET } from "../../constants.ts";
import { MementorError } from "../../errors.ts";
import { takeHookCalls } from "../../project/hook-calls.ts";
import { deleteCopies, deleteLog, deleteReport, oldCopies } from "../../project/leftovers.ts";
import { isTrusted } from "../../project/trust.ts";
import { startWorker } from "../../project/worker.ts";
import {
  type Removal,
  type RemovalKind,
  removalJson,
  renderPreview,
  renderRemoval,
} from "../../render/forget.ts";
import { renderJson } from "../../render/json.ts";
import { styleFor } from "../../render/style.ts";
import { besideDatabase, type Runtime } from "../../runtime.ts";
import type { ForgetPlan } from "../../store/contract/types/forget.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import { confirm } from "./confirm.ts";
import { lockWhenFree } from "./ingest.ts";
import { INTERRUPTED } from "./interrupted.ts";
import { readQueued } from "./queued.ts";
import { openSince } from "./team.ts";

/** A removal by `forget` or `prune`: preview, confirm, remove, rewrite the file. */
export interface RemovalRequest {
  kind: RemovalKind;
  plan: (store: SqliteStore) => Promise<ForgetPlan>;
  remove: (store: SqliteStore, plan: ForgetPlan) => Promise<number>;
  /** A note to print above the preview. */
  note: string | null;
  yes: boolean;
  dryRun: boolean;
  json: boolean;
  /** Delete old copies of the database too. */
  copies: boolean;
  /** Returns a remark on the final size of the database, in bytes. */
  remark?: (after: number) => string | null;
}

/** How long to wait silently for another process, in ms. */
const SILENT_WAIT_MS = 1_000;

/**
 * Shows what will be removed, asks for confirmation, removes it and rewrites the database without it. Returns the
 * exit code.
 */
export async function removeWithConsent(runtime: Runtime, request: RemovalRequest): Promise<number> {
  const { host, memory } = runtime;
  const { kind, note, json } = request;
  const screen = { style: styleFor(host.stdout, host.env), width: host.stdout.columns, now: host.now() };
  const say = (text: string) => (json ? undefined : host.stdout.write(text));
  const store = await runtime.openStore("readwrite");
  try {
    // Turns in queued transcripts would come back later.
    if (kind === "forget") await readWaiting(runtime, store);
    const plan = await request.plan(store);
    const preview = await store.forget.preview(plan, kind === "prune");
    const copies = oldCopies(memory);
    const removal: Removal = {
      kind,
      preview,
      copies,
      outcome: "shown",
      bytes: null,
      rewritten: null,
      copiesDeleted: false,
    };
    say(renderPreview(removal, note, screen));
    const print = (done: Removal) => {
      if (json) host.stdout.write(renderJson(removalJson(done)));
      else say(renderRemoval(done, screen));
      return done.outcome === "declined" && host.interrupted().aborted ? INTERRUPTED : 0;
    };
    const removes = removesSomething(plan) || (request.copies && copies.length > 0);
    if (!removes && !(await store.file.needsCompact())) return print({ ...removal, outcome: "nothing" });
    if (request.dryRun) return print(removal);
    const question = kind === "forget" ? "Forget this?" : "Prune this?";
    if (removes && !request.yes && !(await confirm(host, question, unasked())))
      return print({ ...removal, outcome: "declined" });
    const before = await store.file.usedBytes();
    const rewritten = await locked(runtime, async () => {
      // The plan is made again: turns may have been added before the confirmation.
      await request.remove(store, await request.plan(store));
      if (memory.directory !== null) deleteReport(memory.directory);
      if (kind === "forget" && memory.directory !== null) deleteLog(memory.directory);
      return store.file.compact(FORGET.patienceMs);
    });
    if (rewritten === null) return print({ ...removal, outcome: "declined" });
    if (request.copies) deleteCopies(copies);
    const bytes = { before, after: await store.file.usedBytes() };
    print({ ...removal, outcome: "removed", bytes, rewritten, copiesDeleted: request.copies });
    if (kind === "forget") await sendRemovals(runtime, store);
    const remark = request.remark?.(bytes.after) ?? null;
    if (remark !== null) say(`${remark}\n`);
    return 0;
  } finally {
    await store.close();
  }
}

function unasked(): MementorError {
  return new MementorError("usage", "Nothing was removed: there is no terminal to confirm on.", {
    hint: 'Preview with "--dry-run", then add "--yes".',
  });
}

async function readWaiting(runtime: Runtime, store: SqliteStore): Promise<void> {
  const { directory } = runtime.memory;
  if (directory === null || !isTrusted(runtime.paths, runtime.project.root)) return;
  await readQueued({ directory, runtime, store, signal: runtime.host.interrupted() });
  await takeHookCalls(directory, (call) => store.journal.recordHookCall(call));
}

/** The team is to forget soon what it had: a worker tells it. */
async function sendRemovals(runtime: Runtime, store: SqliteStore): Promise<void> {
  const { host, memory, project } = runtime;
  if (memory.directory === null || (await store.team.membership()) === null) return;
  const { waiting } = await store.team.counts(openSince(runtime));
  if (waiting > 0) startWorker(host, project.root);
}

function removesSomething({ turnIds, cutTurnIds, matchingSessions, fields, sessionId }: ForgetPlan): boolean {
  return (
    turnIds.length + cutTurnIds.length + matchingSessions.length + fields.length > 0 || sessionId !== null
  );
}

/** Runs `work` while no ingest runs. Resolves to null when interrupted while waiting. */
export async function locked<Result>(runtime: Runtime, work: () => Promise<Result>): Promise<Result | null> {
  const { host } = runtime;
  const waiting = setTimeout(
    () => host.stderr.write("Waiting for another mementor process to finish...\n"),
    SILENT_WAIT_MS,
  );
  const lock = await lockWhenFree(besideDatabase(runtime.memory, "read.lock"), true, host.interrupted());
  clearTimeout(waiting);
  if (!lock) return null;
  try {
    return await work();
  } finally {
    lock.release();
  }
}
