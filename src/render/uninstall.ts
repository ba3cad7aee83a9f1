import type { Installation } from "../project/installation.ts";
import { printable } from "../text/printable.ts";
import { plural } from "./plural.ts";
import { renderBytes, renderFacts } from "./table.ts";

/** What an uninstallation takes out and leaves. */
export interface Uninstallation {
  /** Roots of all registered projects. */
  projects: readonly string[];
  /** Whether hooks for all projects are installed. */
  allProjects: boolean;
  memories: readonly { root: string; directory: string; bytes: number }[];
  /** Files and directories that go. */
  leaving: readonly string[];
  installation: Installation;
}

export interface Uninstalled {
  plugin: "removed" | "unchanged";
  problems: readonly { place: string; problem: string }[];
}

/** Renders what an uninstallation did, or with null what it would do. */
export function renderUninstall(plan: Uninstallation, done: Uninstalled | null, purge: boolean): string {
  const { projects, allProjects, memories, leaving, installation } = plan;
  const hooks = `${plural(projects.length, "project")}${allProjects ? " and your own settings" : ""}`;
  const held = memories.map(({ root, directory, bytes }) =>
    purge
      ? `the memory of ${printable(root)}`
      : `${printable(root)}: ${printable(directory)} (${renderBytes(bytes)})`,
  );
  return renderFacts([
    [done === null ? "Would" : "Done", [`take the hooks out of ${hooks}${plugin(done)}`]],
    [purge ? "Deletes" : "Keeps", held],
    ["Removes", leaving.map(printable)],
    ["Program", [programLine(installation, leaving)]],
    [
      "Problem",
      (done?.problems ?? []).map(({ place, problem }) => `${printable(place)}: ${printable(problem)}`),
    ],
    ["Note", !purge && memories.length > 0 ? ['"mementor uninstall --purge" deletes the memories too.'] : []],
  ]);
}

function plugin(done: Uninstalled | null): string {
  return done?.plugin === "removed" ? ", and the plugin out of Claude Code" : "";
}

function programLine({ method, program, uninstall }: Installation, leaving: readonly string[]): string {
  if (method === "source") return "delete the checkout of its sources yourself";
  if (uninstall !== null) return `remove it with: ${printable(uninstall)}`;
  return leaving.includes(program)
    ? `${printable(program)} goes too`
    : `delete ${printable(program)} yourself`;
}
