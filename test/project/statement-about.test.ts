import { expect, test } from "bun:test";
import { statementAbout } from "../../src/project/statement-about.ts";
import { parseText } from "../../src/turn/grammar.ts";

const about = (text: string, path = "src/net/upload.ts") => statementAbout(parseText(text), path);

test.each<[string, string, string, boolean]>([
  [
    "the sentence that decides",
    "[User] Retry uploads\n\n[Assistant] I read the docs. We go with three retries instead of a queue. All tests pass.",
    "We go with three retries instead of a queue.",
    true,
  ],
  [
    "a reason that follows",
    "[User] Retry uploads\n\n[Assistant] The chunk size is 5 MB now. Otherwise the proxy cuts the connection. Done.",
    "The chunk size is 5 MB now. Otherwise the proxy cuts the connection.",
    false,
  ],
  [
    "a reason for what the file does",
    "[User] Look\n\n[Assistant] - upload.ts reads in slices because whole files did not fit.\n- other.ts is unchanged instead of moved.",
    "upload.ts reads in slices because whole files did not fit.",
    true,
  ],
  [
    "what the user decided",
    "[User] We decided against resumable uploads, the server forgets them.\n\n[Assistant] Fine, removed the code.",
    "We decided against resumable uploads, the server forgets them.",
    true,
  ],
  [
    "the user's answer to a question",
    "[User] Add retries\n\nQuestion: Which backoff?\nAnswer: Fixed\nNotes: the gateway bans bursts\n\n[Assistant] Added a fixed delay.",
    "Which backoff? Fixed (the gateway bans bursts)",
    true,
  ],
  [
    "else the last statement, without reports of checks",
    "[User] Rename it\n\n[Assistant] Let me look at the callers. Renamed the option in all four callers. All 12 tests pass.",
    "Renamed the option in all four callers.",
    false,
  ],
])("%s", (_what, text, expected, isDecision) => {
  expect(about(text)).toEqual({ text: expected, isDecision });
});

test.each([
  ["a question", "[User] Why?\n\n[Assistant] Should we go with retries instead of a queue?"],
  ["a plain request", "[User] Please make the uploads faster than they are today."],
  ["an announced step", "[User] Go\n\n[Assistant] Let me check the callers instead of the tests."],
  ["nothing", "[User] Go\n\n[Assistant] Ok."],
])("%s states nothing", (_what, text) => {
  expect(about(text)).toBeNull();
});

test("looks at both ends of a long answer only", () => {
  const filler = "The list goes on and on with further entries.\n".repeat(400);
  const decision = "We chose slices over streams.";
  expect(about(`[User] Go\n\n[Assistant] ${decision}\n${filler}`)?.text).toBe(decision);
  expect(about(`[User] Go\n\n[Assistant] ${filler}${decision}`)?.text).toBe(decision);
  expect(about(`[User] Go\n\n[Assistant] ${filler}${decision}\n${filler}`)?.isDecision).toBe(false);
});
