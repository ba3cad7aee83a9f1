import { renderSynced } from "../../render/folder/member.ts";
import { renderResult } from "../../render/result.ts";
import { memoriesOf, requireFolder, syncEach } from "./memories.ts";
import type { SyncAction } from "./options.ts";

/** Syncs now: this project's memory, or all that use its folder. */
export const now: SyncAction = async ({ options }, runtime) => {
  const { directory } = await requireFolder(runtime);
  const runtimes = options.allProjects ? await memoriesOf(directory, runtime) : [runtime];
  const synced = await syncEach(runtimes, { acceptsOlder: options.acceptOlder });
  runtime.host.stdout.write(options.json ? renderResult({ synced }) : renderSynced(synced));
  return synced.some(({ problem }) => problem !== null) ? 1 : 0;
};
