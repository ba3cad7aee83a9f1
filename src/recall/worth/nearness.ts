import type { TurnVector } from "../../store/marks.ts";
import type { StoredTurn } from "../../store/stored.ts";
import type { PartKind } from "../../turn/text.ts";
import { comparable } from "../calibration.ts";

/** The vectors of a prompt and of what is compared with it. */
export interface ComparedVectors {
  prompt: Float32Array;
  /** Of the session's own last turns. */
  own: readonly TurnVector[];
  /** Of the chunks of each turn. */
  of: ReadonlyMap<number, readonly TurnVector[]>;
  /** The model that made them; the built-in one when absent. */
  model?: string | null | undefined;
}

/** How near a turn is to a prompt, as cosines on the scale of the built-in model; all 0 without vectors. */
export interface Nearness {
  /** Of its nearest chunk, its second nearest, and all of them on average. */
  best: number;
  second: number;
  mean: number;
  /** Of the chunks with the turn's prompt, with its answer, and with what was thought and said between tools. */
  prompt: number;
  answer: number;
  narration: number;
  /** How near the prompt is to what its session said last, and the turn to that. */
  own: number;
  ownTurn: number;
  /** How much nearer the turn is than the session's own last turns. */
  gain: number;
}

const NONE: Nearness = {
  best: 0,
  second: 0,
  mean: 0,
  prompt: 0,
  answer: 0,
  narration: 0,
  own: 0,
  ownTurn: 0,
  gain: 0,
};

/** A chunk belongs to a part of which it holds this many characters, or all. */
const MIN_OVERLAP = 40;
/** What a turn of one chunk has for a second one, as a share of the first. */
const NO_SECOND = 0.95;
/** The gain where the session has said nothing yet. */
const NOTHING_SAID = 0.1;

/** Compares a turn with a prompt and with what the prompt's session said last. */
export function nearnessOf(turn: StoredTurn, vectors: ComparedVectors | null): Nearness {
  const chunks = vectors?.of.get(turn.turnId) ?? [];
  if (vectors === null || chunks.length === 0) return NONE;
  const cosine = (a: Float32Array, b: Float32Array) => 1 - comparable(1 - dot(a, b), vectors.model);
  const near = chunks.map(({ vector }) => cosine(vectors.prompt, vector));
  const sorted = near.toSorted((a, b) => b - a);
  const [best = 0, second = NO_SECOND * best] = sorted;
  const within = (...kinds: PartKind[]) => {
    const parts = turn.parts.filter(({ kind }) => kinds.includes(kind));
    return chunks.reduce((most, chunk, i) => {
      const isIn = parts.some(
        ({ start, end }) =>
          Math.min(chunk.end, end) - Math.max(chunk.start, start) > MIN_OVERLAP ||
          (chunk.start <= start && chunk.end >= end),
      );
      return isIn ? Math.max(most, near[i] ?? 0) : most;
    }, 0);
  };
  const { own: said } = vectors;
  const own = said.reduce((most, { vector }) => Math.max(most, cosine(vectors.prompt, vector)), 0);
  const ownTurn = chunks.reduce(
    (most, { vector }) => said.reduce((most, other) => Math.max(most, cosine(vector, other.vector)), most),
    0,
  );
  return {
    best,
    second,
    mean: near.reduce((sum, each) => sum + each, 0) / near.length,
    prompt: within("prompt"),
    answer: within("answer"),
    narration: within("narration", "thinking"),
    own,
    ownTurn,
    gain: own === 0 ? NOTHING_SAID : best - own,
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
