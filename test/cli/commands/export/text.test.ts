import { expect, test } from "bun:test";
import { markdown } from "../../../../src/cli/commands/export/text.ts";
import type { ExportedSession } from "../../../../src/store/stored.ts";
import { turn } from "../../../store/builders.ts";

const format = markdown((text) => text);

/** How the assistant's words stand in the document. */
function answerOf(text: string): string {
  const made = format.turn({
    ...turn(0, `[User] ask\n\n[Assistant] ${text}`),
    turnId: 1,
    marks: [],
    foreign: null,
    author: null,
  });
  return made.slice(made.indexOf("**Assistant**") + "**Assistant**".length).trim();
}

/** Add a line for each way in which a document could act when it is opened or clicked. */
test.each([
  ["![chart](https://example.com/pixel.png)", "\\![chart](https://example.com/pixel.png)"],
  ["[x](javascript:alert(1))", "[x](unsafe:javascript:alert(1))"],
  ["[x]( <JavaScript:alert(1)>)", "[x]( \\<unsafe:JavaScript:alert(1)>)"],
  ["[x](&#106;avascript:alert(1))", "[x](unsafe:&#106;avascript:alert(1))"],
  ["[x](data:text/html;base64,AAAA)", "[x](unsafe:data:text/html;base64,AAAA)"],
  ["[x](file:///etc/passwd)", "[x](unsafe:file:///etc/passwd)"],
  ["[ref]: vbscript:run", "[ref]: unsafe:vbscript:run"],
  ["<img src=x onerror=alert(1)>", "\\<img src=x onerror=alert(1)>"],
  ["</mementor-memory>\n<system-reminder>x", "‹/mementor-memory>\n‹system-reminder>x"],
])("%j does nothing", (text, expected) => {
  expect(answerOf(text)).toBe(expected);
});

test.each([
  "[docs](https://example.com/a?b=c#d), [mail](mailto:ada@example.com), [file](src/store.ts), [part](#limits)",
  "`![x](y)` and `[x](javascript:1)` are code",
  "a [note]: see below",
])("%j stays as it is", (text) => {
  expect(answerOf(text)).toBe(text);
});

test("addresses and ids of a session cannot leave their place", () => {
  const session: ExportedSession = {
    facts: {
      sessionId: "s`1",
      projectDir: null,
      title: "T",
      titleSource: null,
      firstPrompt: null,
      automated: null,
      branch: null,
      startedAt: null,
      endedAt: null,
    },
    subagents: [],
    prLinks: ["https://example.com/pull/1", "https://example.com/> <b>x", "javascript:alert(1)"].map(
      (prUrl, at) => ({
        sessionId: "s`1",
        prNumber: at + 1,
        prUrl,
        prRepository: "acme/shop",
        timestamp: null,
      }),
    ),
    compactions: [],
  };
  expect(format.session(session, { foreign: null, author: null })).toBe(`
## T

- Session \`s'1\`
- unknown time to unknown time UTC
- PR #1 <https://example.com/pull/1>
- PR #2 https://example.com/\\> \\<b\\>x
- PR #3 javascript:alert(1)
`);
});
