import type { WorthKind } from "../../../src/recall/worth/weights.ts";
import { type LogisticModel, logit } from "../logistic.ts";
import { fitRidge, type Scale, scaleOf, unscaled } from "../ridge.ts";
import { foldsOf } from "./folds.ts";
import { listOf, namesOf, type TurnRow } from "./rows.ts";

/** A model of how surely a turn is worth telling, with the probability from which on it is told. */
export interface WorthModel {
  bias: number;
  weights: [name: string, weight: number][];
  limit: number;
  /** What each row has when the model was fitted without its session. */
  tried: Map<TurnRow, number>;
}

/** A weight of a standardised feature is held small by its square divided by twice this. */
const STRENGTH = 0.02;
/** What a row that was written for the purpose counts beside one from a real history. */
const MADE_WEIGHT = 0.3;
/** A standardised feature with a smaller weight is left out. */
const MIN_WEIGHT = 0.03;
/** This share of the prompts without need in the middle of a session may be answered, when it is left out of the fit. */
const ANSWERED = 0.025;
const FOLDS = 10;
/** From this grade on a turn is worth telling. */
const WORTH = 2;
/** The histories differ in it, so that it would learn which history this is. */
const LEFT_OUT = new Set(["g_size"]);
/** What is known with vectors only. */
const OF_VECTORS = /^(?:v_.*|e_distance|e_secondDistance|g_nearness|g_cohort)$/;

/** Fits the model for a memory with vectors, or for words alone. */
export function fitTurns(rows: readonly TurnRow[], kind: WorthKind): WorthModel {
  const known = namesOf(rows).filter((name) => kind === "vectors" || !OF_VECTORS.test(name));
  const all = known.filter((name) => !LEFT_OUT.has(name));
  const whole = fitOn(rows, all, rows);
  const names = all.filter((_, i) => Math.abs(whole.model.weights[i] ?? 0) >= MIN_WEIGHT);
  const tried = new Map<TurnRow, number>();
  for (const out of foldsOf(rows, FOLDS)) {
    const left = new Set(out);
    const { model, scale } = fitOn(
      rows.filter((row) => !left.has(row)),
      names,
      rows,
    );
    const raw = unscaled(model, scale);
    for (const row of out) tried.set(row, chanceOf(logit(raw, listOf(row.f, names))));
  }
  const { model, scale } = fitOn(rows, names, rows);
  const { bias, weights } = unscaled(model, scale);
  const limit = limitOf(tried);
  return { bias, weights: names.map((name, i) => [name, weights[i] ?? 0]), limit, tried };
}

/** The scale is that of the real rows, those that are left out included. */
function fitOn(
  rows: readonly TurnRow[],
  names: readonly string[],
  all: readonly TurnRow[],
): { model: LogisticModel; scale: Scale } {
  const scale = scaleOf(all.filter(({ made }) => !made).map(({ f }) => listOf(f, names)));
  const examples = rows.map(({ f, turn, made }) => ({
    x: listOf(f, names),
    right: turn >= WORTH,
    weight: made ? MADE_WEIGHT : 1,
  }));
  return { model: fitRidge(examples, STRENGTH, scale), scale };
}

/** Returns the probability that no more prompts without need have than may be answered. */
function limitOf(tried: ReadonlyMap<TurnRow, number>): number {
  const real = [...tried].filter(([{ made, need, f }]) => !made && need === 0 && f.o_opening !== 1);
  const surest = [...Map.groupBy(real, ([{ id }]) => id).values()]
    .map((of) => Math.max(...of.map(([, chance]) => chance)))
    .sort((a, b) => a - b);
  const place = (surest.length - 1) * (1 - ANSWERED);
  const [below = 0, above = below] = surest.slice(Math.floor(place));
  return below + (above - below) * (place % 1);
}

function chanceOf(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/** Says how the model does on prompts whose session was left out of the fit. */
export function reportOf({ tried, limit, weights }: WorthModel): string {
  const prompts = [...Map.groupBy([...tried], ([{ made, id }]) => `${made} ${id}`).values()];
  const lines = [false, true].map((made) => {
    const of = prompts.filter(([first]) => first?.[0].made === made);
    const has = (of: [TurnRow, number][]) => of.some(([{ turn }]) => turn >= WORTH);
    const told = of.map((all) =>
      all
        .filter(([, chance]) => chance >= limit)
        .sort((a, b) => b[1] - a[1])
        .slice(0, 3),
    );
    const right = told.flat().filter(([{ turn }]) => turn >= WORTH).length;
    const noNeed = of.filter(([first]) => first?.[0].need === 0);
    const answered = told.filter(([first]) => first?.[0].need === 0).length;
    return [
      `  ${made ? "made" : "real"}: of ${of.filter(has).length} prompts with a turn worth it told ${told.filter(has).length}`,
      `told turns worth it ${right} of ${told.flat().length}`,
      `without need answered ${answered} of ${noNeed.length}`,
    ].join(", ");
  });
  return [`${weights.length} features, limit ${limit.toFixed(3)}`, ...lines].join("\n");
}
