import type { MementorError } from "../errors.ts";
import type { ListedModel, ModelUse } from "../ingest/model-list.ts";
import { oneLine, renderList } from "./list.ts";
import { plural } from "./plural.ts";
import { type Progress, renderProgress } from "./progress.ts";
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
  active: "active",
  next: "preparing",
  kept: "kept",
  unused: "",
};

/** Renders the models for a terminal. */
export function renderModels(models: readonly ListedModel[], screen: Screen): string {
  const { style } = screen;
  return renderList(
    [
      { title: "MODEL", paint: style.bold },
      { title: "STATE", paint: style.cyan },
      { title: "DIMENSIONS", align: "right", mayGo: true },
      { title: "TOKENS", align: "right", mayGo: true },
      { title: "VECTORS", align: "right", mayGo: true },
      { title: "WAITING", align: "right", mayGo: true },
      { title: "FROM", cut: "middle", mayGo: true, paint: style.dim },
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

/** Renders the facts about an imported model. */
export function renderImported({ id, dimensions, use, source }: ListedModel, isNew: boolean): string {
  const prefixes = [use?.queryPrefix, use?.documentPrefix].map((prefix) => (prefix ? `"${prefix}"` : "none"));
  return renderFacts([
    ["Model", [`${id} (${isNew ? "imported" : "already installed"})`]],
    ["From", [oneLine(source)]],
    ["Vectors", [`${dimensions} dimensions, tokens pooled by ${use?.pooling ?? "?"}`]],
    ["Texts", [`truncated to ${use?.maxTokens ?? "?"} tokens`]],
    ["Prefixes", [oneLine(`for queries: ${prefixes[0]}; for stored texts: ${prefixes[1]}`)]],
    ["Size", [renderBytes(use?.bytes ?? 0)]],
  ]);
}

/** Renders the outcome of a change of model. */
export function renderUse({ id, outcome, former, embedded, pending }: ModelUse): string {
  switch (outcome) {
    case "unchanged":
      return `${id} is already active.\n`;
    case "switched":
      return `${id} is now active; embedded ${plural(embedded, "chunk")}. The vectors of ${former} are kept: "mementor model use ${former}" switches back, "mementor model remove ${former}" deletes them.\n`;
    case "started":
      return `The memory changes to ${id}: ${nextModel({ pending })}.\n`;
    case "cancelled":
      return `Another model was chosen in the meantime; the vectors of ${id} are kept.\n`;
    case "stopped":
      return `Interrupted: ${former} stays active, with ${plural(pending, "chunk")} still to embed with ${id}. Run the same command to continue; the hooks also continue in the background.\n`;
  }
}

/** Says how far a change of model is, and what answers until then. */
export function nextModel({ pending }: { pending: number }): string {
  const waiting = pending === 0 ? "nearly done" : `${plural(pending, "chunk")} to embed`;
  return `${waiting}; until then the old vectors and words answer. "mementor ingest --now" finishes it`;
}

/** Says in one line that another model takes over, and what answers until then. */
export function nextModelLine(next: { id: string; pending: number }): string {
  return `The memory changes to the model ${oneLine(next.id)}: ${nextModel(next)}.`;
}

/** Says in one line that only words were searched for, and why. */
export function byWordsAlone({ code, message }: Pick<MementorError, "code" | "message">): string {
  const isPacked = code === "assets_packed" || code === "not_writable";
  const why = isPacked ? "the model is not unpacked yet" : oneLine(message);
  return `Searched by words alone: ${why}.`;
}

/** Renders what was removed. */
export function renderRemoved(removed: { id: string; vectors: number; files: boolean }): string {
  const { id, vectors, files } = removed;
  const gone = [...(vectors > 0 ? [plural(vectors, "vector")] : []), ...(files ? ["its files"] : [])];
  return `${id}: ${gone.join(" and ") || "nothing to remove in this memory; add --files to delete the model from this machine"}${gone.length > 0 ? " removed" : ""}.\n`;
}

/** Renders the question before a download. */
export function renderDownloadQuestion(repository: string, endpoint: string): string {
  return `Download the model ${oneLine(repository)} from ${oneLine(endpoint)}? It is the only time that mementor uses the network.`;
}

/** Renders the progress of a download as one line, without a line break. */
export function renderDownload(
  file: string,
  progress: Pick<Progress, "done" | "total" | "elapsedMs">,
): string {
  const unit = `${renderBytes(progress.total)}, ${oneLine(file)}`;
  return renderProgress({ ...progress, label: "Download", unit });
}
