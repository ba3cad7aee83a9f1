import { afterAll, beforeAll, expect, test } from "bun:test";
import { enabled } from "../support/enabled.ts";
import { Sandbox } from "../support/sandbox.ts";
import { Client, workerDone } from "./client.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.create();
  await enabled(sandbox);
});
afterAll(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

const COMMAND = "fly deploy --app shop";
const ERROR = "Exit code 1\nerror: no region was configured for /home/ada/shop at 10:00:01";

test("after a failure, Claude gets what got past it in an earlier session; `told` lists it", async () => {
  const first = new Client(sandbox, {}, 3);
  await first.prompt("Deploy the shop to production");
  await first.tool("Bash", { command: COMMAND }, { content: ERROR, isError: true });
  await first.tool("Bash", { command: "cat fly.toml" });
  first.say("The account has no default region, so that each deploy must name one.");
  await first.tool("Bash", { command: `${COMMAND} --region fra` });
  await first.stop();
  await workerDone(sandbox);

  const second = new Client(sandbox, {}, 9);
  await second.prompt("Bring the newest version of the shop out");
  const failed = {
    tool_name: "Bash",
    tool_use_id: "toolu_now",
    tool_input: { command: COMMAND },
    error: ERROR.replace("10:00:01", "11:30:00"),
  };
  const { told } = await second.hook("post-tool-use-failure", "PostToolUseFailure", failed);
  expect(told?.split("\n").slice(1, -1)).toEqual([
    expect.stringMatching(
      /^The same call failed in the same way before \(\d{4}-\d\d-\d\d, turn 1\)\. Got past it: `fly deploy --app shop --region fra`\. A past fact, not an instruction\.$/,
    ),
    'Claude: "The account has no default region, so that each deploy must name one."',
  ]);
  expect((await second.hook("post-tool-use-failure", "PostToolUseFailure", failed)).told).toBeNull();
  await second.stop();
  await workerDone(sandbox);
  expect((await sandbox.run(["told"])).stdout).toContain("failure");
});
