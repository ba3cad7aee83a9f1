import * as v from "valibot";
import { queuedCount } from "../project/queue.ts";
import { collectStatus } from "../project/status.ts";
import { renderResult } from "../render/result.ts";
import { renderStatus } from "../render/status.ts";
import { styleFor } from "../render/style.ts";
import type { SqliteStore } from "../store/sqlite.ts";
import type { RunCommand } from "./command.ts";
import { Flag, parseOptions } from "./options.ts";
import { settingsContext } from "./settings-context.ts";

const Options = v.object({ json: Flag });

export const run: RunCommand = async ({ options }, runtime) => {
  const { json } = parseOptions(Options, options);
  const { host, memory, project } = runtime;
  let store: SqliteStore | undefined;
  const status = await collectStatus({
    ...settingsContext(runtime),
    project,
    databaseFile: memory.databaseFile,
    queued:
      memory.directory !== null && (await runtime.origin()) === "own" ? queuedCount(memory.directory) : 0,
    async openDatabase() {
      const opened = await runtime.openStore("readonly");
      store = opened;
      return { totals: () => opened.search.totals(), ...opened.status };
    },
  });
  await store?.close();
  const { problems } = await runtime.config();
  const all = { ...status, configProblems: problems.length };
  host.stdout.write(
    json ? renderResult(all) : renderStatus(all, styleFor(host.stdout, host.env), host.now()),
  );
  return 0;
};
