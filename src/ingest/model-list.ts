import type { InstalledModel } from "../embed/models/manifest.ts";
import type { ModelSettings } from "../embed/models/settings.ts";
import type { StoredModel } from "../store/stored.ts";
import type { Reembedded } from "./vector-stage.ts";

/** The facts of a model, as its files on this machine give them. */
export interface ModelFacts extends Omit<ModelSettings, "dimensions"> {
  /** Of all its files; null for the built-in model, which has none. */
  bytes: number | null;
}

/** A model on this machine, or one that the memory has vectors of. */
export interface ListedModel {
  id: string;
  builtIn: boolean;
  /** `next`: takes over once its vectors are complete; `kept`: the memory has vectors of it. */
  state: "active" | "next" | "kept" | "unused";
  /** Where it came from, as the user named it: a path or an id of the hub. */
  source: string;
  dimensions: number;
  /** Null if it is not on this machine. */
  use: ModelFacts | null;
  /** Chunks with and without a vector of it; null if the memory does not know it. */
  vectors: number | null;
  pending: number | null;
}

/** The result of a change of model. */
export interface ModelUse {
  id: string;
  outcome: Reembedded["outcome"] | "started" | "unchanged";
  /** The model that was active before. */
  former: string;
  embedded: number;
  pending: number;
}

/** The entry of the built-in model. */
export interface BuiltInModel {
  id: string;
  dimensions: number;
  maxTokens: number;
}

/** Lists the models on this machine and those that the memory has vectors of, the built-in model first. */
export function listModels(
  builtIn: BuiltInModel,
  installed: readonly InstalledModel[],
  stored: readonly StoredModel[],
): ListedModel[] {
  const here: Pick<ListedModel, "id" | "builtIn" | "source" | "dimensions" | "use">[] = [
    {
      id: builtIn.id,
      builtIn: true,
      source: "the binary itself",
      dimensions: builtIn.dimensions,
      use: {
        maxTokens: builtIn.maxTokens,
        pooling: "cls",
        queryPrefix: "",
        documentPrefix: "",
        bytes: null,
      },
    },
    ...installed.map((model) => ({
      id: model.id,
      builtIn: false,
      source: sourceNameOf(model),
      dimensions: model.dimensions,
      use: { ...model, bytes: model.files.reduce((sum, { size }) => sum + size, 0) },
    })),
  ];
  const gone = stored
    .filter(({ id }) => !here.some((model) => model.id === id))
    .map(({ id, dimensions }) => ({ id, builtIn: false, source: "", dimensions, use: null }));
  return [...here, ...gone].map((model) => {
    const known = stored.find(({ id }) => id === model.id);
    return {
      ...model,
      state: known === undefined ? "unused" : known.active ? "active" : known.next ? "next" : "kept",
      vectors: known?.vectors ?? null,
      pending: known?.pending ?? null,
    };
  });
}

function sourceNameOf({ source }: InstalledModel): string {
  return source.kind === "hub" ? `${source.repository}@${source.revision.slice(0, 8)}` : source.path;
}
