import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { classify, countWords } from "../../src/recall/classify.ts";
import { fcOptions } from "../support/fast-check.ts";

const reason = (prompt: string): string => {
  const found = classify(prompt);
  return found.trivial ? found.reason : "recall";
};

describe("classify", () => {
  test.each([
    ["", "empty"],
    [`${" ".repeat(401)}`, "empty"],
    [`${"a".repeat(400)}`, "short"],
    [`${"a".repeat(401)}`, "recall"],
    ["rebase main quickly", "recall"],
    ["<ide_opened_file>The user opened a.ts.</ide_opened_file>\nwhy did we choose sqlite", "recall"],
    [`<ide_selection>${"x".repeat(900)}</ide_selection>\nwhy did we choose sqlite`, "recall"],
    ["<system-reminder>It is late.</system-reminder>\nthanks", "acknowledgement"],
    ["<system-reminder>It is late.</system-reminder>", "notice"],
    ["<ide_opened_file>never closed, why did we choose", "notice"],
    [
      "# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nok",
      "acknowledgement",
    ],
    ["# Context from my IDE setup:\n## My request for Codex:\nwhy did we choose sqlite", "recall"],
    [" \n ", "empty"],
    ["/commit", "command"],
    ["/review-pr 123 and be thorough about it", "command"],
    ["/plugin:do-it now please with care", "command"],
    ["/usr/lib is missing a symlink", "recall"],
    ["/* why is this comment here */", "recall"],
    ["/tmp is full of our test databases", "recall"],
    ["rebase main", "short"],
    ["check ci", "short"],
    ["fix it!", "short"],
    ["LGTM!!", "acknowledgement"],
    ["Sounds good.", "acknowledgement"],
    ["Thanks", "acknowledgement"],
    ["got it", "acknowledgement"],
    ["Yes, please go ahead and do that now!", "acknowledgement"],
    ["how's it going?", "acknowledgement"],
    ["How’s it going?", "acknowledgement"],
    ["commit and push it", "acknowledgement"],
    ["👍", "acknowledgement"],
    ["감사합니다, 계속해주세요", "short"],
    ["네 좋아요 진행해줘", "acknowledgement"],
    ["ありがとうございます。", "acknowledgement"],
    ["好的，谢谢", "acknowledgement"],
    ["Ja, mach weiter", "acknowledgement"],
    ["ㅇㅋ 계속 해줘", "acknowledgement"],
    ["좋아 다음 단계로", "acknowledgement"],
    ["うん、いいよ", "acknowledgement"],
    ["では進めてください", "acknowledgement"],
    ["没问题，继续下一步", "acknowledgement"],
    ["gerne, mach das", "acknowledgement"],
    ["c'est bon, vas-y", "acknowledgement"],
    ["sí, adelante por favor", "acknowledgement"],
    ["sim, pode continuar", "acknowledgement"],
    ["да, давай дальше", "acknowledgement"],
    ["센서 값을 고쳐줘", "recall"],
    ["パーサーを直して", "recall"],
    ["[Request interrupted by user for tool use]", "interruption"],
    ["[Image #1]", "image"],
    ["[Image #1] [Image #2]\n", "image"],
    ["[Image #1] why is the header cut off", "recall"],
    ["<task-notification>\n<task-id>b1</task-id> the build is done", "notice"],
    ["<command-name>/clear</command-name> and some more words", "notice"],
    ["<local-command-stdout>ok then it is</local-command-stdout>", "notice"],
    ['<teammate-message teammate_id="a">please look at this', "notice"],
    ["This session is being continued from a previous conversation that ran out", "notice"],
    ["<div> is rendered twice here", "recall"],
    ["why was this changed?", "recall"],
    ["how do I fix the CI?", "recall"],
    ["yes, and rename the parser too", "recall"],
    ["これを直してください", "recall"],
    ["修复登录页面的错误", "recall"],
    ["CI가 왜 실패했는지 알려줘", "recall"],
  ])("%j is %s", (prompt, expected) => {
    expect(reason(prompt)).toBe(expected);
  });

  test("looks at no more than the head of a long prompt", () => {
    expect(reason(`${" ".repeat(500)}why is this so slow`)).toBe("recall");
    expect(reason(`${"yes ".repeat(10_000)}`)).toBe("recall");
    const paste = "漢字 ".repeat(3_000_000);
    expect(classify(paste)).toEqual(classify(paste.slice(0, 1_000)));
  });

  test("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (prompt) => typeof classify(prompt).trivial === "boolean"),
    );
  });
});

describe("countWords", () => {
  test.each([
    ["fix the parser", 3],
    ["don't re-run it", 3],
    ["修复登录", 2],
    ["Reactの設定", 3],
    ["--- !!", 0],
  ])("%j has %i", (text, words) => {
    expect(countWords(text)).toBe(words);
  });
});

test("reads ASCII as it reads the same text with a letter beyond ASCII in a far place", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii", maxLength: 200 }), (text) => {
      // The second text takes the way through Unicode's tables; its last word is one more.
      expect(countWords(`${text} é`)).toBe(countWords(text) + 1);
      expect(classify(`${text} zebra`)).toEqual(classify(`${text} zébra`));
    }),
    fcOptions(),
  );
});
