import { FORGET } from "../../../constants.ts";
import { MementorError } from "../../../errors.ts";
import { takeHookCalls } from "../../../project/hook-calls.ts";
import {
  deleteCopies,
  deleteLog,
  deleteReport,
  hasLog,
  type OldCopy,
  oldCopies,
} from "../../../project/leftovers.ts";
import { besideDatabase } from "../../../project/memory.ts";
import {
  activePromotions,
  isPromotionOf,
  type Promotion,
  removePromotedLines,
} from "../../../project/promote.ts";
import { startWorker } from "../../../project/queue.ts";
import { isTrusted } from "../../../project/trust.ts";
import type { Runtime } from "../../../runtime.ts";
import type { ForgetPlan } from "../../../store/forget.ts";
import type { SqliteStore } from "../../../store/sqlite/sqlite.ts";
import { lockWhenFree } from "../../ingest.ts";
import { openSince } from "../../sync/team.ts";
import { confirm, INTERRUPTED } from "../../terminal/ask.ts";
import { renderJson, screenOf } from "../../terminal/view.ts";
import { ingestQueue } from "../../worker/queued.ts";
import { type PromotedLine, type RemovalKind, removalJson, renderPreview, renderRemoval } from "./removal.ts";

/** A removal, for good or to save space: preview, confirm, remove, rewrite the file. */
export interface RemovalRequest {
  kind: RemovalKind;
  plan: (store: SqliteStore) => Promise<ForgetPlan>;
  remove: (store: SqliteStore, plan: ForgetPlan) => Promise<number>;
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
  const { kind, json } = request;
  const screen = screenOf(runtime);
  const say = (text: string) => (json ? undefined : host.stdout.write(text));
  await using store = await runtime.openStore("readwrite");
  // Turns in queued transcripts would come back later.
  if (kind === "forget") await readWaiting(runtime, store);
  const plan = await request.plan(store);
  const preview = await store.forget.preview(plan, kind === "prune");
  const copies = oldCopies(memory);
  const emptiesLog = kind === "forget" && memory.directory !== null && hasLog(memory.directory);
  const promoted = kind === "forget" ? await promotedIn(plan, store, runtime) : [];
  const lines = promoted.map(({ turnId, name }) => ({ turnId, name, stays: null }));
  const planned = { ...NOT_REMOVED, kind, preview, copies, emptiesLog, promoted: lines };
  say(renderPreview(planned, screen));
  const answer = await consentTo(plan, copies.length > 0, { runtime, store, request });
  const removed = answer === "agreed" ? await carryOut(copies, { runtime, store, request }) : null;
  const removal = removed ?? { ...NOT_REMOVED, outcome: answer === "agreed" ? "declined" : answer };
  if (json) host.stdout.write(renderJson(removalJson({ ...planned, ...removal })));
  else say(renderRemoval({ ...planned, ...removal }, screen));
  if (removed === null) return removal.outcome === "declined" && host.interrupted().aborted ? INTERRUPTED : 0;
  await sendRemovals(runtime, store);
  const remark = request.remark?.(removed.bytes.after) ?? null;
  if (remark !== null) say(`${remark}\n`);
  return 0;
}

const NOT_REMOVED = { outcome: "shown", bytes: null, rewritten: null, copiesDeleted: false } as const;

interface Removing {
  runtime: Runtime;
  store: SqliteStore;
  request: RemovalRequest;
}

/** Asks for consent, unless there is nothing to remove or an option has answered. */
async function consentTo(
  plan: ForgetPlan,
  hasCopies: boolean,
  { runtime, store, request }: Removing,
): Promise<"agreed" | "nothing" | "shown" | "declined"> {
  const removes = removesSomething(plan) || (request.copies && hasCopies);
  if (!removes && !(await store.file.needsCompact())) return "nothing";
  if (request.dryRun) return "shown";
  if (!removes || request.yes) return "agreed";
  const question = request.kind === "forget" ? "Forget this?" : "Prune this?";
  const hint = 'Preview with "--dry-run", then add "--yes".';
  return (await confirm(runtime.host, question, hint)) ? "agreed" : "declined";
}

/** Carries out the removal and rewrites the database; null if interrupted beforehand. */
async function carryOut(copies: readonly OldCopy[], { runtime, store, request }: Removing) {
  const { directory } = runtime.memory;
  const before = await store.file.usedBytes();
  let promoted: PromotedLine[] = [];
  const rewritten = await locked(runtime, async () => {
    // Plans again, because turns may have been added before the confirmation.
    const plan = await request.plan(store);
    const lines = request.kind === "forget" ? await promotedIn(plan, store, runtime) : [];
    await request.remove(store, plan);
    promoted = takeLinesOut(lines, runtime);
    if (directory !== null) deleteReport(directory);
    // The preview announced this, and there is a preview only when something is removed.
    if (request.kind === "forget" && directory !== null && removesSomething(plan)) deleteLog(directory);
    return store.file.compact(FORGET.patienceMs);
  });
  if (rewritten === null) return null;
  if (request.copies) deleteCopies(copies);
  const bytes = { before, after: await store.file.usedBytes() };
  return { outcome: "removed" as const, bytes, rewritten, copiesDeleted: request.copies, promoted };
}

async function readWaiting(runtime: Runtime, store: SqliteStore): Promise<void> {
  const { directory } = runtime.memory;
  if (directory === null || !isTrusted(runtime.paths, runtime.project.root)) return;
  await ingestQueue({ directory, runtime, store, signal: runtime.host.interrupted() });
  const place = { directory, dataDir: runtime.paths.dataDir };
  await takeHookCalls(place, (call) => store.journal.recordHookCall(call));
}

/** Starts the worker if the team or another of the user's devices does not know of the removal yet. */
async function sendRemovals(runtime: Runtime, store: SqliteStore): Promise<void> {
  const { host, memory, project } = runtime;
  if (memory.directory === null) return;
  const since = openSince(runtime);
  const isWaitedFor =
    ((await store.team.membership()) !== null && (await store.team.counts(since)).waiting > 0) ||
    ((await store.folder.self())?.isActive && (await store.folder.counts(since)).waiting > 0);
  if (isWaitedFor) startWorker(host, project.root);
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
  using lock = await lockWhenFree(besideDatabase(runtime.memory, "read.lock"), true, host.interrupted());
  clearTimeout(waiting);
  if (!lock) return null;
  return await work();
}

/** Returns the promotions of a plan's turns whose line is still in the project's instructions. */
async function promotedIn(
  { turnIds }: Pick<ForgetPlan, "turnIds">,
  { search }: Pick<SqliteStore, "search">,
  { memory, project }: Runtime,
): Promise<Promotion[]> {
  if (memory.directory === null) return [];
  const gone = new Set(turnIds);
  const promoted = activePromotions(memory.directory, project.worktreeRoot).filter(({ turnId }) =>
    gone.has(turnId),
  );
  if (promoted.length === 0) return [];
  const turns = await search.turns(promoted.map(({ turnId }) => turnId));
  return promoted.filter((each) => turns.some((turn) => isPromotionOf(each, turn)));
}

/** Removes promoted lines from their files. `stays` tells why a line could not be removed. */
function takeLinesOut(promoted: readonly Promotion[], { memory, project }: Runtime): PromotedLine[] {
  const { directory } = memory;
  return promoted.map((promotion) => {
    const { turnId, name } = promotion;
    try {
      if (directory !== null) removePromotedLines([promotion], directory, project.worktreeRoot);
      return { turnId, name, stays: null };
    } catch (error) {
      if (error instanceof MementorError) return { turnId, name, stays: error.message };
      throw error;
    }
  });
}
