import type { GateKind } from "../../../src/recall/gate.ts";
import { WORTH_MODELS, worthAllowance } from "../../../src/recall/worth/model.ts";
import { type LogisticModel, logit } from "../logistic.ts";
import { fitRidge, type Scale, scaleOf, unscaled } from "../ridge.ts";
import { foldsOf } from "./folds.ts";
import { listOf, type TurnRow } from "./rows.ts";

/** A model of how surely a turn is worth telling, with the probability from which on it is told. */
export interface WorthModel {
  bias: number;
  weights: [name: string, weight: number][];
  limit: number;
  /** What each row has when the model was fitted without its session, with what it may lack to the limit. */
  tried: Map<TurnRow, number>;
}

/** A weight of a standardised feature is held small by its square divided by twice this. */
const STRENGTH = 0.1;
/** What a row that was written for the purpose counts beside one from a real history. */
const MADE_WEIGHT = 0.3;
/** This share of the prompts without need may be answered, when their session is left out of the fit. */
const ANSWERED = 0.03;
const FOLDS = 10;
/** From this grade on a turn is worth telling. */
const GRADE = 2;

/** Fits the weights of the features that the model for vectors, or the one for words alone, has today. */
export function fitTurns(all: readonly TurnRow[], kind: GateKind): WorthModel {
  const rows = all.filter(({ by }) => by === kind);
  const names = Object.keys(WORTH_MODELS[kind].weights);
  const tried = new Map<TurnRow, number>();
  for (const out of foldsOf(rows, FOLDS)) {
    const left = new Set(out);
    const { model, scale } = fitOn(
      rows.filter((row) => !left.has(row)),
      names,
      rows,
    );
    const raw = unscaled(model, scale);
    for (const row of out) tried.set(row, chanceOf(logit(raw, listOf(row.f, names)) + allowanceOf(row)));
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
    right: turn >= GRADE,
    weight: made ? MADE_WEIGHT : 1,
  }));
  return { model: fitRidge(examples, STRENGTH, scale), scale };
}

/** What a row lacks to the limit may be so much, in logits. */
function allowanceOf({ f, chunks }: TurnRow): number {
  return worthAllowance({ isOpening: f.sessionTurns === 0, chunks });
}

/** Returns the probability that no more prompts without need have than may be answered. */
function limitOf(tried: ReadonlyMap<TurnRow, number>): number {
  const real = [...tried].filter(([{ made, need }]) => !made && need === 0);
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
    const has = (of: [TurnRow, number][]) => of.some(([{ turn }]) => turn >= GRADE);
    const told = of.map((all) =>
      all
        .filter(([, chance]) => chance >= limit)
        .sort((a, b) => b[1] - a[1])
        .slice(0, 3),
    );
    const right = told.flat().filter(([{ turn }]) => turn >= GRADE).length;
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
