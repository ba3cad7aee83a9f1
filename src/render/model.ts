import type { ListedModel, ModelUse } from "../ingest/model-list.ts";
import { oneLine, renderList } from "./list.ts";
import { renderProgress } from "./progress.ts";
import type { Screen } from "./screen.ts";
import { renderBytes, renderFacts } from "./table.ts";

/** A model as `--json` gives it. */
export function modelJson(model: ListedModel) {
  const { use } = model;
  return {
    id: model.id,
    state: model.state,
    built_in: model.builtIn,
    available: use !== null,
    source: model.source,
    dimensions: model.dimensions,
    max_tokens: use?.maxTokens ?? null,
    pooling: use?.pooling ?? null,
    query_prefix: use?.queryPrefix ?? null,
    document_prefix: use?.documentPrefix ?? null,
    bytes: use?.bytes ?? null,
    vectors: model.vectors,
    pending: model.pending,
  };
}

const STATES: Record<ListedModel["state"], string> = {
  active: "serves",
  next: "on its way",
  kept: "kept",
  unused: "",
};

/** Renders the models for a terminal. */
export function renderModels(models: readonly ListedModel[], screen: Screen): string {
  const { style } = screen;
  return renderList(
    [
      { title: "MODEL", paint: style.bold },
      { title: "HERE IT", paint: style.cyan },
      { title: "DIMENSIONS", align: "right" },
      { title: "TOKENS", align: "right" },
      { title: "VECTORS", align: "right" },
      { title: "WAITING", align: "right" },
      { title: "FROM", cut: "start", paint: style.dim },
    ],
    models.map(({ id, state, dimensions, use, vectors, pending, source }) => [
      id,
      STATES[state],
      `${dimensions}`,
      use ? `${use.maxTokens}` : "",
      vectors === null ? "" : `${vectors}`,
      pending === null ? "" : `${pending}`,
      use === null ? "not on this machine" : source,
    ]),
    screen,
  );
}

/** Renders what is known of a model that was brought in. */
export function renderImported({ id, dimensions, use, source }: ListedModel, isNew: boolean): string {
  const prefixes = [use?.queryPrefix, use?.documentPrefix].map((prefix) => (prefix ? `"${prefix}"` : "none"));
  return renderFacts([
    ["Model", [`${id} (${isNew ? "imported" : "was here already"})`]],
    ["From", [oneLine(source)]],
    ["Vectors", [`${dimensions} dimensions, tokens pooled by ${use?.pooling ?? "?"}`]],
    ["Texts", [`cut at ${use?.maxTokens ?? "?"} tokens`]],
    ["Prefixes", [oneLine(`of a query: ${prefixes[0]}; of a stored text: ${prefixes[1]}`)]],
    ["Size", [renderBytes(use?.bytes ?? 0)]],
  ]);
}

/** Renders how far a change of model has come. */
export function renderUse({ id, outcome, former, embedded, pending }: ModelUse): string {
  switch (outcome) {
    case "unchanged":
      return `${id} serves already.\n`;
    case "switched":
      return `${id} serves now; ${embedded.toLocaleString("en")} chunks were embedded. The vectors of ${former} are kept: "mementor model use ${former}" goes back, "mementor model remove ${former}" drops them.\n`;
    case "cancelled":
      return `Another model was asked for in the meantime; the vectors of ${id} are kept.\n`;
    case "stopped":
      return `${former} serves on; ${pending.toLocaleString("en")} chunks have no vector of ${id} yet. The same command goes on, and so does the background work of the hooks.\n`;
  }
}

/** Renders what was removed. */
export function renderRemoved({
  id,
  vectors,
  files,
}: {
  id: string;
  vectors: number;
  files: boolean;
}): string {
  const gone = [
    ...(vectors > 0 ? [`${vectors.toLocaleString("en")} vectors`] : []),
    ...(files ? ["its files"] : []),
  ];
  return `${id}: ${gone.join(" and ") || "nothing was there to remove; --files takes it off this machine"}${gone.length > 0 ? " removed" : ""}.\n`;
}

/** Renders the question before a download. */
export function renderDownloadQuestion(repository: string, endpoint: string): string {
  return `Download the model ${oneLine(repository)} from ${oneLine(endpoint)}? It is the only time that mementor uses the network.`;
}

/** Renders one line of a download's progress, without its end. */
export function renderDownload(progress: {
  file: string;
  done: number;
  total: number;
  elapsedMs: number;
}): string {
  const { file, ...rest } = progress;
  return renderProgress({
    ...rest,
    label: "Download",
    unit: `${renderBytes(progress.total)}, ${oneLine(file)}`,
  });
}
