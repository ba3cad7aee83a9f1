import type { ConfigProblem } from "../config/config.ts";
import { printable } from "../text/printable.ts";
import type { Style } from "./style.ts";
import { renderColumns } from "./table.ts";

/** What `config` shows. */
export interface ConfigReport {
  /** Later files override earlier ones; the environment overrides all files. */
  files: { file: string; exists: boolean }[];
  settings: { key: string; value: unknown; origin: string; variable: string }[];
  problems: ConfigProblem[];
}

/** Renders the effective configuration and where each value comes from. */
export function renderConfig({ files, settings, problems }: ConfigReport, style: Style): string {
  const rows = settings.map(({ key, value, origin }) => [key, JSON.stringify(value), printable(origin)]);
  const lines = renderColumns(rows).map((line, at) =>
    settings[at]?.origin === "default" ? line : style.bold(line),
  );
  const places = files.map(
    ({ file, exists }) => `  ${printable(file)}${exists ? "" : style.dim(" (does not exist)")}`,
  );
  const wrong = problems.map(({ where, key, message }) => {
    const what = [where, key, message].filter((part) => part !== "").map(printable);
    return `${style.yellow("Ignored")}   ${what.join(": ")}`;
  });
  return `${[
    ...lines,
    "",
    "Read from (later entries override earlier ones):",
    ...places,
    "  MEMENTOR_* in the environment, such as MEMENTOR_SEARCH_K=5",
    ...(wrong.length > 0 ? ["", ...wrong] : []),
  ].join("\n")}\n`;
}
