import type { Runtime } from "../../../runtime.ts";
import { printable } from "../../../text/invisible.ts";
import { plural } from "../../../text/numbers.ts";
import { requireNamedDatabase } from "../../memory.ts";
import { type Style, styleFor } from "../../terminal/screen.ts";
import { renderResult } from "../../terminal/view.ts";
import { type Diagnosis, diagnose } from "./check.ts";
import { checksFor } from "./checks.ts";

/** Runs every check and prints each finding as soon as it is known. Returns the exit code. */
export async function examine(
  { fix, json }: { fix: boolean; json: boolean },
  runtime: Runtime,
): Promise<number> {
  await requireNamedDatabase(runtime);
  const { stdout, env } = runtime.host;
  const style = styleFor(stdout, env);
  const found: Diagnosis[] = [];
  for await (const diagnosis of diagnose(checksFor(runtime), { fix })) {
    found.push(diagnosis);
    if (!json) stdout.write(renderDiagnosis(diagnosis, style));
  }
  stdout.write(json ? renderResult(found) : renderVerdict(found, { fix }, style));
  return found.some(({ state }) => state === "error") ? 1 : 0;
}

const LABEL_WIDTH = 13;

/** Renders the result of one check of `doctor`, with what to do about it. */
function renderDiagnosis({ name, state, message, advice, fixed }: Diagnosis, style: Style): string {
  const label = name.padEnd(LABEL_WIDTH);
  const indent = " ".repeat(9 + LABEL_WIDTH);
  const before = fixed === null ? "" : `${indent}${style.dim(`was: ${printable(fixed)}`)}\n`;
  const what = state === "ok" || advice === null ? "" : `${indent}${style.bold(printable(advice))}\n`;
  return `${word(state, fixed, style)} ${label}${printable(message)}\n${before}${what}`;
}

function word(state: Diagnosis["state"], fixed: string | null, style: Style): string {
  if (state === "error") return style.red("error  ".padEnd(8));
  if (state === "warning") return style.yellow("warning".padEnd(8));
  return style.green((fixed === null ? "ok" : "fixed").padEnd(8));
}

/** Renders the overall result. */
function renderVerdict(found: readonly Diagnosis[], { fix }: { fix: boolean }, style: Style): string {
  const count = (wanted: Diagnosis["state"]) => found.filter(({ state }) => state === wanted).length;
  const errors = count("error");
  const warnings = count("warning");
  const fixable = found.some(({ state, canFix }) => state !== "ok" && canFix);
  const hint = fixable && !fix ? ` Run "mementor doctor --fix" to repair what can be repaired.` : "";
  if (errors > 0)
    return `\n${style.red(plural(errors, "error"))}${warnings > 0 ? `, ${plural(warnings, "warning")}` : ""}.${hint}\n`;
  if (warnings > 0)
    return `\n${style.yellow(plural(warnings, "warning"))}; everything else is fine.${hint}\n`;
  return `\n${style.green("Everything is fine.")}\n`;
}
