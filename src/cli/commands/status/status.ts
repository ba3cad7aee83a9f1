import { styleFor } from "../../../render/style.ts";
import type { Runtime } from "../../../runtime.ts";
import { requireNamedDatabase } from "../../memory.ts";
import { printResult } from "../../terminal/ask.ts";
import { collectStatus } from "./collect.ts";
import { renderStatus } from "./text.ts";

/** Prints what the memory holds, and whether the hooks work. Returns the exit code. */
export async function showStatus(json: boolean, runtime: Runtime): Promise<number> {
  await requireNamedDatabase(runtime);
  const status = await collectStatus(runtime);
  const { stdout, env, now } = runtime.host;
  return printResult(stdout, json, status, () => renderStatus(status, styleFor(stdout, env), now()));
}
