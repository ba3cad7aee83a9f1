import { appendFileSync, writeFileSync } from "node:fs";
import { openBenchEmbedder, openBenchStore } from "../memory.ts";
import { labelledRows } from "../worth/features.ts";
import { mergedByPrompt } from "./judged.ts";
import { keyOf, type PromptLabel } from "./labels.ts";
import type { PlayOptions } from "./play.ts";

/** Writes the features of what readers judged, while a history is played. */
export interface FeatureWriter extends AsyncDisposable {
  onPrompt: NonNullable<PlayOptions["onPrompt"]>;
}

/** Opens a new file of rows, which hold no word of a history. */
export async function openFeatures(file: string, labels: readonly PromptLabel[]): Promise<FeatureWriter> {
  writeFileSync(file, "");
  const embedder = await openBenchEmbedder();
  const byPrompt = mergedByPrompt(labels);
  return {
    async onPrompt(prompt, at, stage) {
      const label = byPrompt.get(keyOf(at));
      if (label === undefined) return;
      const store = await openBenchStore(stage.database);
      const { project } = stage;
      const rows = await labelledRows(prompt, label, { store, embedder, project }).finally(() =>
        store.close(),
      );
      appendFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    },
    [Symbol.asyncDispose]: () => embedder.close(),
  };
}
