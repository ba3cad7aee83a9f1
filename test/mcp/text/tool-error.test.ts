import { expect, test } from "bun:test";
import { MementorError } from "../../../src/errors.ts";
import { renderToolError } from "../../../src/mcp/text/answer.ts";

test.each<[string, string]>([
  [
    "For turns of sessions with that agent: --from codex",
    'For turns of sessions with that agent: "from" codex',
  ],
  ["Leave --max-tokens or --team out.", 'Leave "max_tokens" or --team out.'],
  ['Run "mementor search --from codex".', 'Run "mementor search --from codex".'],
])("an error of a tool names its arguments, and the user's command lines as they are: %s", (hint, shown) => {
  const error = new MementorError("not_found", "there is none", { hint });
  expect(renderToolError(error, ["from", "max_tokens"])).toBe(`There is none.\n${shown}`);
});
