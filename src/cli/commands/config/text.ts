import type { ConfigEntry, ConfigProblem } from "../../../config/config.ts";
import type { Style } from "../../../render/style.ts";
import { renderColumns } from "../../../render/table.ts";
import { printable } from "../../../text/invisible.ts";
import { wrap } from "../../../text/width.ts";

/** What `config` shows. */
export interface ConfigReport {
  /** Later files override earlier ones; the environment overrides all files. */
  files: { file: string; exists: boolean }[];
  settings: readonly ConfigEntry[];
  problems: ConfigProblem[];
}

/** Renders the effective configuration: each value, where it comes from, what it does and what it may be. */
export function renderConfig(
  { files, settings, problems }: ConfigReport,
  { style, width }: { style: Style; width: number | null },
): string {
  const rows = settings.map(({ key, value, origin }) => [key, JSON.stringify(value), printable(origin)]);
  const lines = renderColumns(rows).flatMap((line, at) => {
    const setting = settings[at];
    if (setting === undefined) return [];
    const shown = setting.origin === "default" ? line : style.bold(line);
    const about = wrap(`${setting.meaning}: ${setting.allowed}`, (width ?? Number.POSITIVE_INFINITY) - 4);
    return [shown, ...about.map((text) => style.dim(`    ${text}`))];
  });
  const places = files.map(
    ({ file, exists }) => `  ${printable(file)}${exists ? "" : style.dim(" (does not exist)")}`,
  );
  const wrong = problems.map((problem) => `${style.yellow("Ignored")}   ${problemWords(problem)}`);
  return `${[
    ...lines,
    "",
    "Read from (later entries override earlier ones):",
    ...places,
    "  MEMENTOR_* in the environment, such as MEMENTOR_SEARCH_K=5",
    ...(wrong.length > 0 ? ["", ...wrong] : []),
  ].join("\n")}\n`;
}

/** Renders a value for a script: a text as it is, anything else as JSON. */
export function renderSetting(value: unknown): string {
  return `${typeof value === "string" ? printable(value) : JSON.stringify(value)}\n`;
}

/** Renders what is wrong with a setting, after the name of its file or variable. */
export function problemWords({ where, key, message }: ConfigProblem): string {
  return [where, key, message]
    .filter((part) => part !== "")
    .map(printable)
    .join(": ");
}

/** Renders what is wrong with a file of settings, without the file's name. */
export function renderProblem({ key, message }: ConfigProblem): string {
  return printable([key, message].filter(Boolean).join(": "));
}

/** A setting that was changed, and its value from now on. */
export interface ConfigChange {
  action: "set" | "unset";
  key: string;
  file: string;
  /** False when the file said so already. */
  changed: boolean;
  value: unknown;
  /** The file or variable that the value comes from. */
  origin: string;
}

/** Says what is set now and where, and by what it is overridden. */
export function renderConfigChange({ action, key, file, changed, value, origin }: ConfigChange): string {
  const place = printable(file);
  if (!changed)
    return `${key} is ${action === "set" ? `${JSON.stringify(value)} already` : "not set"} in ${place}\n`;
  const now = `It is ${JSON.stringify(value)} now, from ${origin === "default" ? "the defaults" : printable(origin)}.\n`;
  const done = action === "set" ? `Set ${key} in ${place}\n` : `Removed ${key} from ${place}\n`;
  if (action === "set" && origin === file) return `Set ${key} to ${JSON.stringify(value)} in ${place}\n`;
  return done + now;
}
