import type { DisableResult } from "../project/disable.ts";
import type { EnableResult } from "../project/enable.ts";
import { printable } from "../text/printable.ts";
import type { Style } from "./style.ts";

const MEMORY_WORDS: Record<EnableResult["memory"], string> = {
  created: "made",
  kept: "was there, kept",
  adopted: "was there, taken over",
  none: "will be made at the first conversation",
};

/** Renders what `enable` did. */
export function renderEnable(result: EnableResult, style: Style): string {
  const settings = result.settings.map(({ file, change }) => `Hooks     ${printable(file)} (${change})\n`);
  const moved = result.movedFrom.map((file) => `Moved     the hooks out of ${printable(file)}\n`);
  const twice = result.alsoIn.map(
    (file) => `${style.yellow("Note")}      ${printable(file)} has the hooks too\n`,
  );
  return [
    `${style.green("Enabled")}   ${printable(result.root)}\n`,
    `Memory    ${printable(result.memoryDirectory)} (${MEMORY_WORDS[result.memory]})\n`,
    ...settings,
    ...moved,
    ...twice,
  ].join("");
}

/** Renders what `disable` did. */
export function renderDisable(result: DisableResult): string {
  const settings = result.settings
    .filter(({ change }) => change !== "unchanged")
    .map(
      ({ file, change }) =>
        `Hooks     ${printable(file)} (${change === "removed" ? "file removed" : "taken out"})\n`,
    );
  const memory = { kept: "kept; delete it with --purge", deleted: "deleted", none: "there is none" }[
    result.memory
  ];
  const others = result.hooksForAll
    ? "Note      the hooks for all projects are still there; they do nothing here\n"
    : "";
  const quiet = settings.length === 0 ? "Hooks     there were none\n" : "";
  return `Disabled  ${printable(result.root)}\n${settings.join("")}${quiet}Memory    ${memory}\n${others}`;
}
