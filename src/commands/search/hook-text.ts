import { changedSince } from "../../project/changed-files.ts";
import { programCall } from "../../project/program-call.ts";
import type { HookText } from "../../render/explain.ts";
import { renderRecall } from "../../render/hooks/recall.ts";
import type { Runtime } from "../../runtime.ts";
import type { HookDecision } from "../../search/foresee.ts";
import type { ReadStore } from "../../store/store.ts";

/** Returns the turns that the text of the prompt hook would hold: it is rendered as the hook renders it. */
export async function hookText(
  { told }: HookDecision,
  runtime: Runtime,
  { browse }: Pick<ReadStore, "browse">,
): Promise<HookText> {
  const {
    config: { search, budgets },
  } = await runtime.config();
  const changed = await changedSince(told, runtime.project.worktreeRoot, browse, () => false);
  const { host } = runtime;
  const program = programCall(host);
  const options = { limit: search.promptK, budget: budgets.prompt, now: host.now(), program };
  const held = new Set(renderRecall(told, changed, options)?.turnIds);
  const ids = told.map(({ turn }) => turn.turnId);
  return {
    turns: ids.filter((id) => held.has(id)),
    later: [...held].filter((id) => !ids.includes(id)),
  };
}
