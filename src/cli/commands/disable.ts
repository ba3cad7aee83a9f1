import { statIfExists } from "../../io/read.ts";
import type { Runtime } from "../../runtime.ts";
import type { DisableResult } from "../../setup/disable.ts";
import { HOOK_SCOPES } from "../../setup/settings/hook-entries.ts";
import type { MemoryContents } from "../../store/stored.ts";
import { printable } from "../../text/invisible.ts";
import { contentsText } from "../../text/numbers.ts";
import { defineCommand } from "../command-line/command.ts";
import { consentOptions, flag, jsonOption, oneOf, valued } from "../command-line/option.ts";
import { confirm, declined } from "../terminal/ask.ts";
import { renderBytes, renderFacts } from "../terminal/table.ts";
import { printResult } from "../terminal/view.ts";

export const command = defineCommand({
  name: "disable",
  help: { group: "Set up", position: 2 },
  summary: "Remove the hooks; the memory stays",
  arguments: {},
  options: {
    scope: valued("scope", "Only those in the local, project or user settings", oneOf(HOOK_SCOPES)),
    purge: flag("Also delete the memory"),
    dryRun: flag("Show what would be taken out and deleted, and change nothing"),
    yes: consentOptions.yes,
    json: jsonOption,
  },
  examples: ["mementor disable", "mementor disable --dry-run", "mementor disable --purge --yes"],
  async run({ options: { scope = null, purge, dryRun, yes, json } }, runtime) {
    runtime.requireLocal();
    const { disableProject, plannedDisable } = await import("../../setup/disable.ts");
    const { memoryId } = await import("../sync/team.ts");
    const { hasTeams, saveTeam } = await import("../../sync/team/settings.ts");
    const { otherAgents, settingsContext } = await import("../settings-context.ts");
    const { project, host } = runtime;
    const request = {
      project,
      scope,
      purge,
      ...otherAgents(host),
      now: host.now(),
      ...settingsContext(runtime),
    };
    const deletes = purge && scope !== "user" && (await runtime.origin()) === "own";
    const size = deletes ? await memorySize(runtime) : null;
    if (size !== null && !json) host.stdout.write(renderPurge(size));
    if (dryRun) {
      const planned = plannedDisable(request);
      return printResult(runtime, { json }, { ...planned, done: false }, () => renderDisable(planned, true));
    }
    if (deletes && !yes && !(await confirm(host, "Delete this memory for good?")))
      return declined(host, "Nothing was changed: the memory and the hooks are still there.");
    const id = deletes ? memoryId(runtime) : null;
    const result = disableProject(request);
    // The password of the team's server is deleted together with the memory.
    if (id !== null && result.memory === "deleted" && hasTeams(runtime.paths.configDir))
      saveTeam(runtime.paths.configDir, id, null);
    printResult(runtime, { json }, result, () => renderDisable(result));
    return result.problems.length > 0 ? 1 : 0;
  },
});

/** The outcome for a deleted memory, with what can be restored. */
const DELETED =
  'deleted for good; "mementor enable" makes a new one from the transcripts that are still on disk';

const WOULD_BE_DELETED = "would be deleted for good";

/** A memory's directory, size and contents; `holds` is null if it cannot be read. */
interface MemorySize {
  directory: string;
  bytes: number;
  holds: MemoryContents | null;
}

/** Announces which memory will be deleted. */
function renderPurge({ directory, bytes, holds }: MemorySize): string {
  const what = holds === null ? [] : [contentsText(holds)];
  return renderFacts([["Deletes", [`${printable(directory)} (${renderBytes(bytes)})`, ...what]]]);
}

/** Renders what `disable` did; with `isPlanned`, what it would do. */
function renderDisable(result: DisableResult, isPlanned = false): string {
  const takenOut = isPlanned ? "would be taken out" : "taken out";
  const linesOf = (label: string, changes: DisableResult["settings"]) =>
    changes
      .filter(({ change }) => change !== "unchanged")
      .map(({ file, change }) => {
        const done = change === "removed" ? "file removed" : takenOut;
        return `${label.padEnd(10)}${printable(file)} (${done})\n`;
      });
  const settings = linesOf("Hooks", result.settings);
  const removed = isPlanned ? "file would be removed" : "file removed";
  const leave = result.leave.map(
    ({ file, change }) =>
      `May ask   ${printable(file)} (${change === "foreign" ? "stays: its content is not mementor's" : removed})\n`,
  );
  const servers = [
    ...linesOf("MCP", result.servers),
    ...result.keptServers.map((file) => `MCP       ${printable(file)} (stays: another project uses it)\n`),
  ];
  const git = result.includedIn === null ? "" : `Git       ${printable(result.includedIn)} (${takenOut})\n`;
  const memory = {
    kept: "kept; delete it with --purge",
    deleted: isPlanned ? WOULD_BE_DELETED : DELETED,
    none: "there is none",
  }[result.memory];
  const others = result.hooksForAll
    ? "Note      the hooks for all projects are still there; they do nothing here\n"
    : "";
  const problems = result.problems.map(
    ({ place, problem }) =>
      `Problem   ${printable(problem.includes(place) ? problem : `${place}: ${problem}`)}\n`,
  );
  const again =
    problems.length > 0 && !isPlanned
      ? `Next      correct that, then run this again; the remaining steps are recorded\n`
      : "";
  const quiet = settings.length + problems.length === 0 ? "Hooks     there were none\n" : "";
  const undo = result.memory === "kept" ? "Again     mementor enable\n" : "";
  const end = isPlanned ? "Nothing was changed.\n" : undo;
  return `${isPlanned ? "Project " : "Disabled"}  ${printable(result.root)}\n${settings.join("")}${quiet}${leave.join("")}${servers.join("")}${git}Memory    ${memory}\n${others}${problems.join("")}${again}${end}`;
}

/** Returns the directory and size of the project's memory, and its contents if it can be read. */
async function memorySize(runtime: Runtime): Promise<MemorySize> {
  const { directory, databaseFile } = runtime.memory;
  const bytes = statIfExists(databaseFile)?.size ?? 0;
  const place = { directory: directory ?? databaseFile, bytes };
  try {
    const store = await runtime.openStore("readonly");
    const { turns, sessions, notes } = await store.search.totals().finally(() => store.close());
    return { ...place, holds: { turns, sessions, notes } };
  } catch {
    // A memory that cannot be read can still be deleted.
    return { ...place, holds: null };
  }
}
