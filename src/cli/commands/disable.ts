import * as v from "valibot";
import { MementorError } from "../../errors.ts";
import { HOOK_SCOPES } from "../../setup/hook-entries.ts";
import { defineCommand } from "../definition/command.ts";
import { consentOptions, jsonOption } from "../definition/common-options.ts";
import { flag, oneOf } from "../definition/option.ts";
import { printResult } from "../terminal/ask.ts";

export const command = defineCommand({
  name: "disable",
  help: { group: "Set up", position: 2 },
  summary: "Remove the hooks; the memory stays",
  arguments: {},
  options: {
    scope: {
      value: "scope",
      description: "Only those in the local, project or user settings",
      schema: v.optional(oneOf(HOOK_SCOPES)),
    },
    purge: flag("Also delete the memory"),
    dryRun: flag("Show what would be taken out and deleted, and change nothing"),
    yes: consentOptions.yes,
    json: jsonOption,
  },
  examples: ["mementor disable", "mementor disable --dry-run", "mementor disable --purge --yes"],
  async run({ options: { scope = null, purge, dryRun, yes, json } }, runtime) {
    runtime.requireLocal();
    const { disableProject, plannedDisable } = await import("../../setup/disable.ts");
    const { renderDisable, renderPurge } = await import("./disable/text.ts");
    const { confirm, declined } = await import("../terminal/ask.ts");
    const { memorySize } = await import("./disable/text.ts");
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
      return printResult(host.stdout, json, { ...planned, done: false }, () => renderDisable(planned, true));
    }
    if (deletes && !yes && !(await confirm(host, "Delete this memory for good?", nobody())))
      return declined(host, "Nothing was changed: the memory and the hooks are still there.");
    const id = deletes ? memoryId(runtime) : null;
    const result = disableProject(request);
    // The password of the team's server goes with the memory.
    if (id !== null && result.memory === "deleted" && hasTeams(runtime.paths.configDir))
      saveTeam(runtime.paths.configDir, id, null);
    printResult(host.stdout, json, result, () => renderDisable(result));
    return result.problems.length > 0 ? 1 : 0;
  },
});

function nobody(): MementorError {
  return new MementorError("usage", "Nothing was deleted: there is no terminal to confirm on.", {
    hint: 'Say "--yes" to delete the memory.',
  });
}
