import { openToRead } from "../../recall/across/open-to-read.ts";
import { programFor } from "../../render/program.ts";
import type { Screen } from "../../render/screen.ts";
import { styleFor } from "../../render/style.ts";
import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import type { ReadStore } from "../../store/store.ts";
import type { viewOptions } from "../definition/common-options.ts";
import type { OptionValues } from "../definition/option.ts";

/** The result of a command, for programs and for people. */
export interface View {
  json: () => unknown;
  /** Whole, or in parts of whole lines. */
  text: (screen: Screen) => string | Iterable<string>;
}

type ViewOptions = OptionValues<typeof viewOptions>;

/** Opens the memory, or the team's database that is named, calls `look` to find what to show, and prints it. */
export async function view(
  runtime: Runtime,
  options: ViewOptions,
  look: (store: ReadStore) => Promise<View>,
): Promise<number> {
  return show(runtime, options, await openToRead(runtime), look);
}

/** The same for what only the memory here has. Throws `usage` where a team's database is named. */
export async function viewLocal(
  runtime: Runtime,
  options: ViewOptions,
  look: (store: SqliteStore) => Promise<View>,
): Promise<number> {
  return show(runtime, options, await runtime.openStore("readonly"), look);
}

async function show<Store extends ReadStore>(
  runtime: Runtime,
  { json, pager }: ViewOptions,
  store: Store,
  look: (store: Store) => Promise<View>,
): Promise<number> {
  const shown = await look(store).finally(() => store.close());
  const { host } = runtime;
  if (json) {
    const { renderJson } = await import("../json.ts");
    host.stdout.write(renderJson(shown.json()));
  } else await (await import("./pager.ts")).printPaged(host, shown.text(screenOf(runtime)), pager);
  return 0;
}

/** Returns the properties of the screen that a command prints to. */
export function screenOf({ host: { stdout, env, now }, memoryOptions }: Runtime): Screen {
  return {
    style: styleFor(stdout, env),
    width: stdout.columns,
    now: now(),
    program: programFor(memoryOptions),
  };
}
