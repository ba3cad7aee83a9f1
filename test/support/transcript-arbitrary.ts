import fc from "fast-check";

/** Transcripts as no client would write them, made of everything that clients do write. */

const SESSIONS = ["5e550000-0000-4000-8000-000000000001", "5e550000-0000-4000-8000-000000000002"];
const TEXTS = [
  "fix it",
  "continue",
  "What is in @src/cart.ts?",
  'text with "type":"progress" and }{" in it',
  "ünï 日本語 🙂",
  "[Request interrupted by user]",
  "<task-notification>done</task-notification>",
  "<command-name>/review</command-name><command-args>all</command-args>",
  "This session is being continued from a previous conversation. Summary.",
  "<private>no</private>",
  "",
];

interface Drawn {
  uuid: number;
  parent: number;
  session: number;
  minute: number;
  agent: string | undefined;
  sidechain: boolean;
  text: string;
  kind: string;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  uuid: fc.integer({ min: 0, max: 40 }),
  parent: fc.integer({ min: 0, max: 40 }),
  session: fc.constantFrom(0, 0, 0, 0, 1),
  minute: fc.integer({ min: 10, max: 59 }),
  agent: fc.constantFrom(undefined, undefined, "a1"),
  sidechain: fc.constantFrom(false, false, false, true),
  text: fc.constantFrom(...TEXTS),
  kind: fc.constantFrom(
    ...[
      "prompt",
      "prompt",
      "prompt",
      "answer",
      "answer",
      "answer",
      "tool",
      "result",
      "failure",
      "commit",
      "queued",
    ],
    ...["boundary", "summary", "recap", "title", "pr", "progress", "meta", "api"],
  ),
});

function uuid(n: number): string {
  return `0000${n.toString(16).padStart(4, "0")}-0000-4000-8000-000000000000`;
}

function entry(d: Drawn, index: number): object {
  // Now and then a uuid comes twice within a few lines, as streaming writes it; further apart, only the store can tell.
  const own = d.uuid === 0 && index > 0 ? index - 1 : index;
  const common = {
    parentUuid: d.parent > index ? null : uuid(d.parent),
    isSidechain: d.sidechain,
    ...(d.sidechain && d.agent ? { agentId: d.agent } : {}),
    cwd: "/home/ada/shop",
    sessionId: SESSIONS[d.session],
    version: "2.1.50",
    gitBranch: "main",
  };
  const end = { uuid: uuid(own + 100), timestamp: `2026-03-02T09:${d.minute}:00.000Z` };
  const user = (content: unknown, more: object = {}) => ({
    ...common,
    type: "user",
    message: { role: "user", content },
    ...more,
    ...end,
  });
  const assistant = (content: unknown, more: object = {}) => ({
    ...common,
    message: { model: "m", role: "assistant", content, usage: { n: 1 } },
    type: "assistant",
    ...more,
    ...end,
  });
  const call = `t${d.parent}`;
  switch (d.kind) {
    case "prompt":
      return user(d.text);
    case "answer":
      return assistant([
        { type: "thinking", thinking: d.text },
        { type: "text", text: `answer ${index}` },
      ]);
    case "tool":
      return assistant([
        { type: "tool_use", id: call, name: "Read", input: { file_path: `/home/ada/shop/f${d.uuid}.ts` } },
      ]);
    case "commit":
      return assistant([{ type: "tool_use", id: call, name: "Bash", input: { command: "git commit -m x" } }]);
    case "result":
      return user([{ tool_use_id: call, type: "tool_result", content: "[main 1a2b3c4] subject" }], {
        toolUseResult: { stdout: d.text },
      });
    case "failure":
      return user([{ tool_use_id: call, type: "tool_result", content: d.text, is_error: true }]);
    case "queued":
      return {
        ...common,
        attachment: { type: "queued_command", prompt: d.text },
        type: "attachment",
        ...end,
      };
    case "boundary":
      return {
        ...common,
        type: "system",
        subtype: "compact_boundary",
        compactMetadata: { trigger: "auto", preTokens: index },
        ...end,
      };
    case "summary":
      return user("This session is being continued from a previous conversation.", {
        isCompactSummary: true,
      });
    case "recap":
      return { ...common, type: "system", subtype: "away_summary", content: `recap ${index}`, ...end };
    case "title":
      return {
        type: index % 2 ? "ai-title" : "summary",
        aiTitle: d.text,
        summary: d.text,
        sessionId: common.sessionId,
      };
    case "pr":
      return {
        type: "pr-link",
        sessionId: common.sessionId,
        prNumber: index,
        prUrl: "https://x/pull/1",
        prRepository: "a/b",
      };
    case "meta":
      return user(d.text, { isMeta: true });
    case "api":
      return assistant([{ type: "text", text: "API Error" }], { isApiErrorMessage: true });
    default:
      return { ...common, type: "progress", data: { type: "bash_progress", output: d.text }, ...end };
  }
}

/** Lines that are no entry. */
const oddLine = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "// note",
    "42",
    "null",
    '{"type":"user"}',
    '{"type":"user","message":{"role":"user","content":[{"type":"tool_result"',
    "\0\0\0",
  ),
  fc.json({ maxDepth: 2 }),
  fc.string({ maxLength: 20 }).map((text) => text.replaceAll("\n", " ")),
);

export const transcript: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 12, arbitrary: drawn }, { weight: 1, arbitrary: oddLine }), {
      maxLength: 30,
    }),
    fc.constantFrom("\n", "\n", "\r\n"),
    fc.boolean(),
    fc.integer({ min: 0, max: 60 }),
  )
  .map(([lines, newline, endsWithNewline, glued]) => {
    const texts = lines.map((line, index) =>
      typeof line === "string" ? line : JSON.stringify(entry(line, index)),
    );
    return (
      texts.map((text, index) => text + (index === glued ? "" : newline)).join("") +
      (endsWithNewline ? "" : '{"type":"us')
    );
  });
