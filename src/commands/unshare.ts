import * as v from "valibot";
import { required } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { jsonOption } from "../command/common-options.ts";
import { flag } from "../command/option.ts";

export const command = defineCommand({
  name: "unshare",
  help: { group: "Team", position: 2 },
  summary: "Remove turns from the team, everywhere; they stay in your memory",
  arguments: { target: required("turn|session|path", v.string()) },
  options: { yes: flag("Do not ask", "y"), json: jsonOption },
  examples: ["mementor unshare 42", "mementor unshare 1b7c0a52", "mementor unshare src/pricing.ts --yes"],
  async run({ args, options }, runtime) {
    const { unshare } = await import("./unshare/unshare.ts");
    return unshare(args.target, options, runtime);
  },
});
