import type { Diagnosis } from "../project/doctor.ts";
import { printable } from "../text/printable.ts";
import { plural } from "./plural.ts";
import type { Style } from "./style.ts";

const LABEL_WIDTH = 13;

/** Renders the result of one check of `doctor`, with what to do about it. */
export function renderDiagnosis({ name, state, message, advice, fixed }: Diagnosis, style: Style): string {
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
export function renderVerdict(found: readonly Diagnosis[], { fix }: { fix: boolean }, style: Style): string {
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
