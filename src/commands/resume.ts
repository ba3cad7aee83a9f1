import * as v from "valibot";
import { required } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { authorOption, jsonOption } from "../command/common-options.ts";
import { flag } from "../command/option.ts";

export const command = defineCommand({
  name: "resume",
  help: { group: "Ask", position: 12 },
  summary: "Print the command that continues a session in its agent",
  arguments: { wanted: required("turn|session", v.string()) },
  options: {
    exec: flag("Run the command instead of printing it"),
    author: {
      ...authorOption,
      description: "A session of this member of the team, to be continued there; all for anybody's",
    },
    json: jsonOption,
  },
  examples: ["mementor resume 1b7c0a52", "mementor resume 17 --exec", "mementor resume 17 --author ada"],
  async run({ args: { wanted }, options }, runtime) {
    const { execute, findResumption } = await import("./resume/resumption.ts");
    const resumption = await findResumption(runtime, wanted, options.author);
    if (options.exec) return execute(resumption);
    const { renderResume, resumeJson } = await import("../render/resume.ts");
    const { renderJson } = await import("../render/json.ts");
    const text = options.json ? renderJson(resumeJson(resumption)) : renderResume(resumption);
    runtime.host.stdout.write(text, "whole");
    return 0;
  },
});
