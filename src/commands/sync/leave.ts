import { openFolder } from "../../folder/files.ts";
import { shelfOf } from "../../folder/place.ts";
import { changeFolders } from "../../folder/settings.ts";
import { erase } from "../../folder/sync.ts";
import { renderLeft } from "../../render/folder/member.ts";
import { renderResult } from "../../render/result.ts";
import type { Runtime } from "../../runtime.ts";
import { confirm, declined } from "../shared/confirm.ts";
import { lockedStep, memoryId, noteNextSync } from "../shared/team.ts";
import { inMemory, memoriesOf, requireFolder } from "./memories.ts";
import type { SyncAction } from "./options.ts";

/** Ends the sync. What arrived stays; with `--erase`, what this device put is removed from the folder. */
export const leave: SyncAction = async ({ options }, runtime) => {
  const { host, paths } = runtime;
  const { directory, device } = await requireFolder(runtime);
  const runtimes = options.allProjects ? await memoriesOf(directory, runtime) : [runtime];
  const question = options.erase
    ? "Leave the folder, and remove from it what this device put?"
    : "Leave the folder? What this device put stays there for the others.";
  if (!options.yes && !(await confirm(host, question))) return declined(host, "Nothing was changed.");
  const left: string[] = [];
  for (const each of runtimes) {
    left.push(await leaveOne(each, options.erase));
    const id = memoryId(each);
    changeFolders(paths.configDir, device.name, (settings) => {
      const { [id]: _, ...memories } = settings.memories;
      return { ...settings, memories, left: [...settings.left.filter((known) => known !== id), id] };
    });
  }
  if (options.allProjects)
    changeFolders(paths.configDir, device.name, (settings) => ({ ...settings, every: null }));
  const result = { directory, projects: left, erased: options.erase };
  host.stdout.write(options.json ? renderResult(result) : renderLeft(directory, left, options.erase));
  return 0;
};

async function leaveOne(runtime: Runtime, erases: boolean): Promise<string> {
  const { directory, project, key, formerKeys } = await requireFolder(runtime);
  const locked = lockedStep(runtime, runtime.host.interrupted());
  await inMemory(runtime, async (store) => {
    const self = await store.folder.self();
    if (erases && self !== null) {
      const files = await openFolder(directory);
      for (const each of [key, ...formerKeys])
        await erase({ files }, shelfOf(each, project, self.writer).path);
    }
    await locked(() => store.folder.leave());
    await noteNextSync(store, runtime);
  });
  return project;
}
