import * as v from "valibot";
import { enableProject } from "../project/enable.ts";
import { renderEnable } from "../render/enable.ts";
import { styleFor } from "../render/style.ts";
import type { RunCommand } from "./command.ts";
import { Flag, parseOptions } from "./options.ts";
import { settingsContext } from "./settings-context.ts";

const Options = v.object({
  scope: v.optional(v.picklist(["project", "local", "user"], "is one of project, local, user"), "project"),
  adopt: Flag,
  history: v.optional(v.boolean()),
  json: Flag,
});

export const run: RunCommand = async (input, runtime) => {
  const { scope, adopt, json } = parseOptions(Options, input.options);
  const { project, host } = runtime;
  const result = enableProject({ project, scope, adopt, now: host.now(), ...settingsContext(runtime) });
  if (result.memory !== "none")
    await (await runtime.openStore("create", { adopt: adopt || result.memory === "adopted" })).close();
  host.stdout.write(
    json ? `${JSON.stringify(result)}\n` : renderEnable(result, styleFor(host.stdout, host.env)),
  );
  return 0;
};
