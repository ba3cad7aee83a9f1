import type { FolderWriter } from "../store/contract/types/folder.ts";
import type { OpenManifest } from "./manifest.ts";

/** What stands in a writer's directory: its manifest, or why there is none that counts. */
export type Found = { writer: string } & (
  | { open: OpenManifest; problem: null }
  | { open: null; problem: string }
);

/** A manifest, and why nothing is taken from it; null when all is well. */
export interface Judged {
  open: OpenManifest;
  problem: string | null;
}

/**
 * Says of each manifest whether it is the state that its writer left last, as far as anybody saw: by its counter, which only
 * grows, what this memory saw of it, and what the other manifests say that they saw.
 */
export function judge(
  found: readonly OpenManifest[],
  known: ReadonlyMap<string, Pick<FolderWriter, "counter" | "hash">>,
  acceptsOlder: boolean,
): Judged[] {
  const seen = new Map<string, { counter: number; by: string }>();
  for (const { manifest } of found)
    for (const [writer, counter] of Object.entries(manifest.seen))
      if (counter > (seen.get(writer)?.counter ?? 0)) seen.set(writer, { counter, by: manifest.device.name });
  return found.map((open) => {
    const { writer, counter } = open.manifest;
    const before = known.get(writer) ?? { counter: 0, hash: "" };
    const other = seen.get(writer);
    if (counter === before.counter && before.hash !== "" && open.hash !== before.hash)
      return { open, problem: "there are two different states of it with one number: is its memory copied?" };
    if (acceptsOlder) return { open, problem: null };
    if (counter < before.counter) return { open, problem: "it is older than what was here before" };
    if (other !== undefined && counter < other.counter)
      return { open, problem: `it is older than what ${other.by} has seen` };
    return { open, problem: null };
  });
}
