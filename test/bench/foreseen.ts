import { withoutRepeats } from "../../src/recall/distinct.ts";
import { rankForPrompt } from "../../src/recall/ranking.ts";
import type { RecallDeps } from "../../src/recall/recall.ts";
import { toldOf } from "./ask-hook.ts";
import { share } from "./measures.ts";
import type { BenchMemory } from "./memory.ts";
import { asOf, type ReplayPrompt, type ReplayTurn } from "./replay.ts";

/** A prompt is foreseen when one of the first so many turns touched a file that it goes on to edit. */
const FIRST = 3;

/** Turns of earlier sessions as the hook ranks them, before classify and gate. */
export async function pipeline(
  { store, embedder }: BenchMemory,
  prompt: ReplayPrompt,
): Promise<ReplayTurn[]> {
  const then = asOf(store.search, prompt, (name) => embedder.embed(name));
  const ranking = await rankForPrompt(
    prompt.current.prompt,
    prompt.current.turn.sessionId,
    prompt.earlier.length,
    {
      store: then,
      openEmbed: async () => (text) => embedder.embed(text),
      timeLeftMs: () => Number.POSITIVE_INFINITY,
    },
  );
  return turnsOf(
    withoutRepeats(ranking.near).kept.map(({ turn }) => turn.turnId),
    prompt,
  );
}

/** What the hook tells: with a file that is edited later, without one, or nothing. */
export async function hook(
  { store, embedder }: BenchMemory,
  prompt: ReplayPrompt,
): Promise<"right" | "wrong" | "silent"> {
  const then = asOf(store.search, prompt, (name) => embedder.embed(name));
  const deps: RecallDeps = {
    store: then,
    browse: store.browse,
    recall: store.recall,
    journal: { turnsToldIn: async () => new Set() },
    openEmbed: async () => (text) => embedder.embed(text),
    timeLeftMs: () => Number.POSITIVE_INFINITY,
  };
  const told = await toldOf(prompt.current.prompt, deps, prompt.current.turn.sessionId);
  if (told.length === 0) return "silent";
  return isForeseen(
    turnsOf(
      told.flatMap(({ turnIds }) => turnIds),
      prompt,
    ),
    prompt,
  )
    ? "right"
    : "wrong";
}

/** Turns of earlier sessions by distance to the prompt. */
export async function vectorsAlone(
  { store, embedder }: BenchMemory,
  prompt: ReplayPrompt,
): Promise<ReplayTurn[]> {
  const then = asOf(store.search, prompt, (name) => embedder.embed(name));
  const near = await then.nearestChunks(await embedder.embed(prompt.current.prompt), 200, {
    inContext: { sessionId: prompt.current.turn.sessionId },
  });
  return turnsOf([...new Set(near.map(({ turnId }) => turnId))], prompt);
}

/** Turns of earlier sessions only, in the ranking's order. */
function turnsOf(ids: readonly number[], { earlier }: ReplayPrompt): ReplayTurn[] {
  const known = new Map(earlier.map((one) => [one.turn.turnId, one]));
  return ids.flatMap((id) => known.get(id) ?? []);
}

/** Whether one of the first turns touched a file that the prompt goes on to edit. */
export function isForeseen(ranked: readonly ReplayTurn[], { files }: ReplayPrompt): boolean {
  return ranked.slice(0, FIRST).some((one) => touches(one, files));
}

/** How likely turns drawn at random hold such a file. */
export function atRandom({ earlier, files }: ReplayPrompt): number {
  const misses = share(earlier, (one) => !touches(one, files));
  return 1 - misses ** FIRST;
}

function touches({ touched }: ReplayTurn, files: ReadonlySet<string>): boolean {
  return [...files].some((file) => touched.has(file));
}
