import * as v from "valibot";
import { disableProject } from "../project/disable.ts";
import { renderDisable } from "../render/enable.ts";
import { renderResult } from "../render/result.ts";
import type { RunCommand } from "./command.ts";
import { Flag, parseOptions } from "./options.ts";
import { settingsContext } from "./shared/settings-context.ts";

const Options = v.object({
  scope: v.optional(
    v.nullable(v.picklist(["project", "local", "user"], "is one of project, local, user")),
    null,
  ),
  purge: Flag,
  json: Flag,
});

export const run: RunCommand = async (input, runtime) => {
  const { scope, purge, json } = parseOptions(Options, input.options);
  const { project, host } = runtime;
  const result = disableProject({ project, scope, purge, now: host.now(), ...settingsContext(runtime) });
  host.stdout.write(json ? renderResult(result) : renderDisable(result));
  return 0;
};
