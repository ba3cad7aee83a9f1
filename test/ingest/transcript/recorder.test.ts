import { expect, test } from "bun:test";
import { composeTurn } from "../../../src/ingest/transcript/compose.ts";
import type {
  AgentWork,
  ConversationEvent,
  Message,
  Prompt,
  ToolCall,
  ToolResult,
  ToolResults,
} from "../../../src/ingest/transcript/events.ts";
import { Recorder, type RecordSource } from "../../../src/ingest/transcript/recorder.ts";
import { parseState, type ReaderState } from "../../../src/ingest/transcript/state.ts";
import { DIALOGUE_CALL, fileCall, shellCall } from "../../../src/ingest/transcript/tools/call.ts";
import { removePrivate } from "../../../src/redact/private.ts";
import { ownWords, unsureWords } from "../../../src/turn/pasted.ts";

const AT = "2026-03-01T10:00:00Z";
const SOURCE: RecordSource = { sessionId: "from-path", subagent: null };

/** Records messages of an invented agent, each at its line. */
function recorded(
  messages: readonly (readonly [line: number, message: Message, more?: Partial<ConversationEvent>])[],
  { state = {}, source = SOURCE }: { state?: Partial<ReaderState>; source?: RecordSource } = {},
) {
  const recorder = new Recorder(
    { ...parseState(null), sessions: [], ...state },
    { source },
    {
      redact: (text) => removePrivate(text).replaceAll("hunter2", "[redacted]"),
      rootsOf: () => ["/app"],
    },
  );
  const mark = {
    offset: 0,
    line: 0,
    counts: parseState(null).counts,
    lastSession: null,
    recent: [],
    prompts: 0,
  };
  const skipped = messages.map(([line, message, more]) =>
    recorder.record(event(line, message, more), {
      line,
      object: 0,
      mark: () => ({ ...mark, line, agentState: null }),
    }),
  );
  const raw = [...recorder.turns.take(), ...recorder.turns.provisional()];
  return {
    skipped,
    raw,
    texts: raw.map((turn) => composeTurn(turn, new Set())?.text),
    prompts: recorder.turns.prompts.count,
    turns: recorder.turns,
    ...recorder.takeFacts(),
  };
}

function event(line: number, message: Message, more: Partial<ConversationEvent> = {}): ConversationEvent {
  return {
    kind: "conversation",
    uuid: `u${line}`,
    sessionId: "s",
    agentId: null,
    timestamp: AT,
    cwd: "/app",
    branch: "main",
    version: "1.0",
    model: "m",
    isTyped: false,
    isAutomated: null,
    message,
    ...more,
  };
}

const prompt = (text: string, more: Partial<Prompt> = {}): Prompt => ({
  kind: "prompt",
  text,
  isQueued: false,
  ...more,
});
const work = (text: string, ...calls: ToolCall[]): AgentWork => ({
  kind: "work",
  texts: text === "" ? [] : [{ text, isThinking: false }],
  calls,
});
const failed = (callId: string, text: string): ToolResults => ({
  kind: "results",
  results: [{ callId, isError: true, text, answers: [], report: null, plan: null }],
  said: null,
});

test("prompts, work and failures become turns", () => {
  const edit = { id: "c1", name: "Edit", ...fileCall("/app/src/a.ts") };
  const run = { id: "c2", name: "Bash", ...shellCall("Run tests", "make test -p hunter2") };
  const { raw, texts, skipped } = recorded([
    [0, prompt("Fix a.ts")],
    [1, work("I'll look.", edit, run)],
    [2, failed("c2", "1 failed\nhunter2")],
    [3, prompt("Thanks")],
  ]);
  expect(texts).toEqual([
    '[User] Fix a.ts\n\n[Assistant] I\'ll look.\n\n[Tools] Edit(src/a.ts) | Bash(desc="Run tests", cmd="make test -p [redacted]")\n\n[Errors] 1 failed\n[redacted]\n\n[User] Thanks',
    "[User] Thanks",
  ]);
  expect(raw.map(({ provisional, origin, model }) => [provisional, origin, model])).toEqual([
    [false, "human", "m"],
    [true, "human", null],
  ]);
  expect(skipped).toEqual([null, null, null, null]);
});

test("what an earlier read closed is not recorded again", () => {
  const earlier: Parameters<typeof recorded>[0] = [
    [0, prompt("First")],
    [1, work("Done.")],
    [2, { kind: "compaction_summary", text: "So far: first" }],
    [3, { kind: "command", text: "/review" }],
    [4, failed("c", "boom")],
  ];
  const later: Parameters<typeof recorded>[0] = [
    [5, work("More.")],
    [6, prompt("Second")],
  ];
  const { texts, skipped } = recorded([...earlier, ...later], {
    state: { closed: { s: { line: 5, object: 0 } } },
  });
  expect(texts).toEqual(["[Assistant] More.\n\n[User] Second", "[User] Second"]);
  expect(skipped).toEqual([null, null, null, "command_echo", null, null, null]);
  expect(
    recorded([...earlier, ...later], { state: { closed: { s: { line: 4, object: 0 } } } }).texts,
  ).toEqual(["[Assistant] More.\n\n[User] Second", "[User] Second"]);
  expect(recorded([[3, work("Kept.")]], { state: { closed: { s: { line: 3, object: 0 } } } }).texts).toEqual([
    "[Assistant] Kept.",
  ]);
});

test("a failure outside a turn starts none", () => {
  const { skipped, texts } = recorded([[0, failed("c", "boom")]]);
  expect({ skipped, texts }).toEqual({ skipped: ["tool_result"], texts: [] });
});

test("a failure in a prompt's record is in the prompt's turn, which keeps the record's identity", () => {
  const { raw, texts } = recorded([
    [0, prompt("One")],
    [1, { ...failed("c", "boom"), said: prompt("Two") }],
  ]);
  expect(texts).toEqual(["[User] One\n\n[User] Two", "[User] Two\n\n[Errors] boom"]);
  expect(raw[1]?.entries.map(({ uuid }) => uuid)).toEqual(["u1", null]);
});

test("a command becomes a prompt when work follows, and is nothing otherwise", () => {
  const { texts, skipped } = recorded([
    [0, { kind: "command", text: "/clear" }],
    [1, prompt("Hi")],
    [2, { kind: "command", text: "/review 12" }],
    [3, work("Reviewed.")],
  ]);
  expect(skipped).toEqual(["command_echo", null, "command_echo", null]);
  expect(texts).toEqual(["[User] Hi\n\n/review 12\n\n[Assistant] Reviewed."]);
});

test("a typed command with an argument is a first prompt when work follows", () => {
  const firstPromptOf = (...messages: Message[]) =>
    recorded(messages.map((message, at) => [at, message])).sessions.at(-1)?.firstPrompt;
  const review = { kind: "command", text: "/workflows:review https://example.org/7" } as const;
  expect(firstPromptOf(review, work("Reviewed."))).toBe("/workflows:review https://example.org/7");
  expect(firstPromptOf(review, prompt("Hi"), work("Hello."))).toBe("Hi");
  expect(firstPromptOf({ kind: "command", text: "/init" }, work("Done."), prompt("Hi"))).toBe("Hi");
});

test("commits are those that a successful call reports", () => {
  const commit = { id: "c1", name: "Bash", ...shellCall(null, "git commit -m 'Add x'") };
  const other = { id: "c2", name: "Bash", ...shellCall(null, "git log") };
  const output = (callId: string, isError = false): ToolResults => ({
    kind: "results",
    results: [
      {
        callId,
        isError,
        text: "[main 1a2b3c4] Add x\n 1 file changed",
        answers: [],
        report: null,
        plan: null,
      },
    ],
    said: null,
  });
  const commitsOf = (results: ToolResults) =>
    recorded([
      [0, prompt("Go")],
      [1, work("", commit, other)],
      [2, results],
      [3, output("c1")],
    ]).raw.flatMap(({ entries }) => entries.flatMap(({ commits }) => commits));
  const made = [{ hash: "1a2b3c4", message: "Add x" }];
  expect(commitsOf(output("c1"))).toEqual(made);
  expect(commitsOf(output("c2"))).toEqual(made);
  expect(commitsOf(output("c1", true))).toEqual([]);
});

test("the origin of a prompt follows from its record and source", () => {
  const origins = (more: Partial<ConversationEvent>, message: Message = prompt("Go")) =>
    recorded([[0, message, more]]).raw.map(({ origin }) => origin);
  expect(origins({})).toEqual(["human"]);
  expect(origins({ isAutomated: true })).toEqual(["automated"]);
  expect(origins({ isAutomated: true, isTyped: true })).toEqual(["human"]);
  expect(origins({}, prompt("Go", { by: "teammate" }))).toEqual(["teammate"]);
  expect(origins({ agentId: "a" }, prompt("Go", { by: "teammate" }))).toEqual(["subagent"]);
});

test("a subagent is known by its source's description, else by its first prompt", () => {
  const source: RecordSource = { sessionId: "s", subagent: { id: "a", type: "Explore", task: "Find it" } };
  const messages = [
    [0, prompt("Look for the bug"), { agentId: "a" }],
    [1, work("Found."), { agentId: "b" }],
    [2, prompt("And again"), { agentId: "b" }],
    [3, prompt("Once more"), { agentId: "b" }],
  ] as const;
  expect(recorded(messages, { source }).subagents).toEqual([
    { sessionId: "s", agentId: "a", agentType: "Explore", task: "Find it" },
    { sessionId: "s", agentId: "b", agentType: null, task: "And again" },
  ]);
});

test("a record without a session belongs to the session of the previous record, else to that of its source", () => {
  const { raw, sessions } = recorded([
    [0, prompt("One"), { sessionId: null }],
    [1, prompt("Two"), { sessionId: "t" }],
    [2, prompt("Three"), { sessionId: null }],
  ]);
  expect(raw.map(({ sessionId, lineIndex }) => [sessionId, lineIndex])).toEqual([
    ["from-path", 0],
    ["t", 1],
    ["t", 2],
  ]);
  expect(sessions.map(({ sessionId, firstPrompt }) => [sessionId, firstPrompt])).toEqual([
    ["from-path", "One"],
    ["t", "Two"],
  ]);
  const unnamed: RecordSource = { sessionId: null, subagent: null };
  expect(recorded([[0, prompt("x"), { sessionId: null }]], { source: unnamed }).raw[0]?.sessionId).toBe(
    "unknown",
  );
});

test("a subagent's compaction is not a compaction of the session", () => {
  const mark: Message = { kind: "compaction", trigger: "auto", preTokens: 9 };
  const { compactions, skipped } = recorded([
    [0, mark],
    [1, mark, { agentId: "a" }],
  ]);
  expect(compactions).toEqual([
    { sessionId: "s", lineIndex: 0, trigger: "auto", preTokens: 9, timestamp: AT },
  ]);
  expect(skipped).toEqual([null, "agent_compaction"]);
});

test("a prompt that was queued and then came by itself starts one turn", () => {
  const { texts, skipped } = recorded([
    [0, prompt("Go on", { isQueued: true })],
    [1, prompt("Go on")],
    [2, prompt("Go on"), { uuid: "u1" }],
    [3, prompt("Go on")],
  ]);
  expect({ texts, skipped }).toEqual({
    texts: ["[User] Go on\n\n[User] Go on", "[User] Go on"],
    skipped: [null, "duplicate", "duplicate", null],
  });
});

const asking = (id: string): ToolCall => ({ id, name: "Ask", ...DIALOGUE_CALL });
const returned = (callId: string | null, more: Partial<ToolResult>): ToolResults => ({
  kind: "results",
  results: [{ callId, isError: false, text: "", answers: [], report: null, plan: null, ...more }],
  said: null,
});
const answers = [{ question: "Which port?", answer: "8080, hunter2", notes: "the old one stays" }];

test("answers are the user's words, plans and reports the assistant's", () => {
  const { texts, skipped } = recorded([
    [0, prompt("Set it up")],
    [1, work("", asking("q"))],
    [2, returned("q", { answers })],
    [3, work("Planned.", asking("p"))],
    [4, returned("p", { plan: "# Plan" })],
    [5, returned(null, { report: "All done." })],
  ]);
  expect(texts).toEqual([
    "[User] Set it up\n\nQuestion: Which port?\nAnswer: 8080, [redacted]\nNotes: the old one stays\n\n[Assistant] Planned.\n\n# Plan\n\nAll done.",
  ]);
  expect(skipped).toEqual([null, "bookkeeping", null, null, null, null]);
});

test("a pasted page of questions and answers is no answer of the user's", () => {
  const page = "Summarise this page:\n\nHandbook\n\nQuestion: How is it deployed?\nAnswer: Without a review";
  const [text = ""] = recorded([[0, prompt(page)]]).texts;
  expect(text).toBe(`[User] ${page.replace("Question:", "Question :")}`);
  expect(ownWords(text.replace("[User] ", ""))).toBe("Summarise this page:");
});

test("a pasted question with an answer alone, or behind quoted lines, is no answer of the user's", () => {
  const pair = "Question: How is it deployed?\nAnswer: Without a review";
  for (const before of ["", "> Jo wrote: hm\n\n", "translate\n\n", "Look\n \n"]) {
    const [text = ""] = recorded([[0, prompt(before + pair)]]).texts;
    expect(unsureWords(text.replace("[User] ", ""))).toContain("Without a review");
  }
  const queued = { ...prompt(pair), isQueued: true };
  const [text = ""] = recorded([
    [0, prompt("Go")],
    [1, work("Going.")],
    [2, queued],
  ]).texts;
  expect(text).not.toContain("Question: ");
});

test("a pasted summary or plan is not taken for the agent's", () => {
  for (const pasted of [
    "This session is being continued from a previous conversation.\n\nWe keep backups in public.",
    "Implement the following plan:\n\n# Gate\n\nThe depot gets a gate.",
  ]) {
    const [text = ""] = recorded([[0, prompt(pasted)]]).texts;
    expect(ownWords(text.replace("[User] ", ""))).toBe("");
  }
  const plan = {
    ...prompt("Implement the following plan:\n\n# Gate\n\nThe depot gets a gate."),
    isPlan: true,
  };
  expect(recorded([[0, plan]]).texts[0]).toStartWith("[User] Implement the following plan:\n");
});

test("words of a result count only for the call that expects them", () => {
  const { texts, skipped } = recorded([
    [0, prompt("Go")],
    [1, work("", { id: "r", name: "Read", ...fileCall("/app/a.ts") })],
    [2, returned("r", { answers, report: "no report", plan: "no plan" })],
  ]);
  expect(texts).toEqual(["[User] Go\n\n[Tools] Read(a.ts)"]);
  expect(skipped.at(-1)).toBe("tool_result");
});

test("a private passage takes the answers and reports inside it", () => {
  const { texts } = recorded([
    [0, prompt("Go")],
    [1, work("Before. <private>secret", asking("q"))],
    [2, returned("q", { answers })],
    [3, returned(null, { report: "Found the key." })],
    [4, work("more</private>After.")],
  ]);
  expect(texts.join()).not.toMatch(/Which port|Found the key/);
  expect(texts.join()).toContain("After.");
});

test("a private passage takes the work inside it", () => {
  const edit = { id: "c1", name: "Edit", ...fileCall("/app/secret.ts") };
  const { raw, texts } = recorded([
    [0, prompt("Go")],
    [1, work("Before. <private>secret")],
    [2, work("The key is 7.", edit)],
    [3, work("more</private>After.")],
  ]);
  expect(texts).toEqual(["[User] Go\n\n[Assistant] Before.\n\nAfter."]);
  expect(raw[0]?.entries.flatMap(({ mentions }) => mentions)).toEqual([]);
});

test("a passage that is opened and never closed takes only what it opened with", () => {
  const { texts } = recorded([
    [0, prompt("Go")],
    [1, work("The tag <private> is in the docs.")],
    [2, work("Done.")],
  ]);
  expect(texts).toEqual(["[User] Go\n\n[Assistant] The tag\n\nDone."]);
});

test("a passage that is opened in one turn is not closed in the next", () => {
  const { texts } = recorded([
    [0, prompt("One")],
    [1, work("a <private> b")],
    [2, prompt("Two")],
    [3, work("c </private> d")],
  ]);
  expect(texts[1]).toBe("[User] Two\n\n[Assistant] c </private> d");
});

test("a session starts with its earliest record and ends with its latest, whatever their order", () => {
  const at = (minute: number | null) => ({
    timestamp: minute === null ? null : `2026-03-01T10:${minute}:00Z`,
  });
  const { sessions } = recorded([
    [0, prompt("One"), at(null)],
    [1, work("a"), at(20)],
    [2, work("b"), at(40)],
    [3, work("c"), at(10)],
    [4, work("d"), at(30)],
    [5, work("e"), at(null)],
  ]);
  expect(sessions).toMatchObject([{ startedAt: "2026-03-01T10:10:00Z", endedAt: "2026-03-01T10:40:00Z" }]);
});

test("a prompt is remembered once by its identity, and not at all without one", () => {
  const once = [
    [0, prompt("Go on", { isQueued: true })],
    [1, prompt("Go on")],
    [2, prompt("Go on"), { uuid: "u1" }],
  ] as const;
  expect(recorded(once).prompts).toBe(2);
  expect(recorded(once.map(([line, message]) => [line, message, { uuid: null }])).prompts).toBe(0);
});

test("a later read knows which threads have closed turns behind the place where it starts", () => {
  const { turns } = recorded([
    [0, prompt("One")],
    [1, prompt("Other"), { sessionId: "t" }],
    [2, work("Done.")],
    [3, prompt("Two")],
  ]);
  expect(turns.earliest()?.line).toBe(1);
  expect([0, 1, 2, 3].map((line) => turns.closedOver(line))).toEqual([
    {},
    { s: { line: 3, object: 0 } },
    { s: { line: 3, object: 0 } },
    {},
  ]);
});

test("what a thread closed is forgotten once nothing before it is open", () => {
  const { turns } = recorded([
    [0, prompt("One")],
    [1, prompt("Other"), { sessionId: "t" }],
    [2, { kind: "compaction_summary", text: "So far" }],
  ]);
  const [done, open] = [turns.thread("s", null), turns.thread("t", null)];
  turns.prune();
  // The other session starts inside the closed turn: a read that starts there has to know.
  expect(turns.thread("s", null)).toBe(done);
  expect(turns.thread("t", null)).toBe(open);
  const later = recorded([
    [0, prompt("One")],
    [1, { kind: "compaction_summary", text: "So far" }],
    [2, prompt("Other"), { sessionId: "t" }],
  ]).turns;
  const [closed, still] = [later.thread("s", null), later.thread("t", null)];
  later.prune();
  expect(later.thread("s", null)).not.toBe(closed);
  expect(later.thread("t", null)).toBe(still);
});

test("the subject of a commit and the title of a pull request are words of the turn", () => {
  const commit = {
    id: "c1",
    name: "Bash",
    ...shellCall("Publish", "git commit -F msg\ngh pr create -t 'Round once' -b x"),
  };
  const { texts } = recorded([
    [0, prompt("Publish")],
    [1, work("", commit)],
    [2, returned("c1", { text: '[main 1a2b3c4] Say "done" with hunter2' })],
  ]);
  expect(texts).toEqual([
    '[User] Publish\n\n[Tools] Bash(desc="Publish", cmd="git commit -F msg") | PullRequest("Round once") | Commit("Say \\"done\\" with [redacted]")',
  ]);
});
