import { appendFileSync } from "node:fs";

/** What the model says to every prompt: something that is worth remembering. */
export const DECISION =
  "Decision: the archive keeps every page for ninety days, because the museum's lawyers asked for that period in their letter.";

/** What it says to Claude Code, so that whose decision it was can be seen. */
export const CLAUDES_DECISION =
  "Decision: captions are set in the reading order of the scanned page, because screen readers lost their place between columns.";

/** What the hook of a prompt begins with, in any session; an invitation to ask does not hold it. */
export const TOLD = "that may bear on this prompt";

export const DELIVER = "Deliver the shop with its script.";
/** Has the model call its shell with one attempt after the other, whatever came of those before. */
export const ATTEMPT = "Try what runs without a question.";
export const WAKE = "Set the timer to one minute, please.";

/** What a wake-up asks, and what the scene asks too. */
export const ABOUT_DECISION =
  "Why does the archive keep every page for ninety days, and what period did the museum's lawyers ask for in their letter?";

/**
 * What Claude Code's model calls when a prompt asks for it: of a delivery, the third call gets past the first one after a look; of a
 * loop, it sets the time of the wake-up, which is a minute at least.
 */
const CALLS: readonly { prompt: string; tool: string; inputs: readonly object[] }[] = [
  {
    prompt: DELIVER,
    tool: "Bash",
    inputs: ["./deliver.sh shop", "cat deliver.sh", "./deliver.sh shop --region fra"].map((command) => ({
      command,
      description: "Deliver the shop",
    })),
  },
  {
    prompt: WAKE,
    tool: "ScheduleWakeup",
    inputs: [{ delaySeconds: 60, reason: "the archive is asked about", prompt: ABOUT_DECISION }],
  },
];

/** The name that a client gives our tool, such as `mementor_search`. */
const SEARCH_TOOL = /"name":"(\w*mementor\w*search)"/;

/**
 * A stand-in for a model on loopback: enough of the APIs of OpenAI (Responses and Chat Completions), Anthropic and Gemini for a
 * client to get one answer. What each request held is appended to `log`, one line each. With a `question` the model looks
 * it up in the memory first, where the client offers it the tool. `attempts` are the commands for `ATTEMPT`.
 */
export function serveModel(
  log: string,
  question: string | null,
  attempts: readonly string[] = [],
): { port: number; stop: () => void } {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 120,
    async fetch(request) {
      const body = await bodyOf(request);
      const { pathname } = new URL(request.url);
      appendFileSync(log, `${JSON.stringify({ pathname, body })}\n`);
      return answerTo(pathname, body, question, attempts);
    },
  });
  return { port: server.port ?? 0, stop: () => void server.stop(true) };
}

function answerTo(
  pathname: string,
  body: string,
  question: string | null,
  attempts: readonly string[],
): Response {
  if (pathname.endsWith("/chat/completions")) return chat(body, question);
  if (pathname.endsWith("/responses")) return stream(responses(nextAttempt(body, attempts)));
  if (pathname.endsWith("/messages")) return messages(body, attempts);
  if (pathname.endsWith("/count_tokens")) return Response.json({ input_tokens: 1_000 });
  if (pathname.endsWith(":streamGenerateContent")) return stream([geminiAnswer(nextAttempt(body, attempts))]);
  if (pathname.endsWith(":generateContent")) return Response.json(geminiAnswer());
  if (pathname.endsWith(":countTokens")) return Response.json({ totalTokens: 1_000 });
  return Response.json({ object: "list", data: [{ id: "mock-1", object: "model" }], models: [] });
}

/** The command after those of which a request has the results; none where it offers no tools. */
function nextAttempt(body: string, attempts: readonly string[]): string | undefined {
  const isAsked = body.includes(ATTEMPT) && body.includes('"tools":[{');
  return isAsked ? attempts[countResults(body)] : undefined;
}

/** How many results of tools a request holds. */
export function countResults(body: string): number {
  return body.match(/"(?:function_call_output|functionResponse|tool_result)"/g)?.length ?? 0;
}

function chat(body: string, question: string | null): Response {
  const tool = question !== null && body.includes(question) ? SEARCH_TOOL.exec(body)?.[1] : undefined;
  if (tool !== undefined && !body.includes('"role":"tool"')) return stream(lookUp(tool, question ?? ""));
  return body.includes('"stream":true') ? stream(chatChunks()) : Response.json(chatAnswer());
}

/** Anthropic's Messages API. */
function messages(body: string, attempts: readonly string[]): Response {
  const usage = { input_tokens: 950, output_tokens: 50 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "mock-1", stop_sequence: null };
  const call = attempted(nextAttempt(body, attempts)) ?? nextCall(body);
  if (call !== undefined && body.includes('"stream":true'))
    return stream(toolUse(call, { ...message, content: [], stop_reason: null, usage }, usage));
  const block = { type: "text", text: CLAUDES_DECISION };
  if (!body.includes('"stream":true'))
    return Response.json({ ...message, content: [block], stop_reason: "end_turn", usage });
  return stream([
    { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: CLAUDES_DECISION } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
    { type: "message_stop" },
  ]);
}

interface ToolCall {
  id: string;
  name: string;
  input: object;
}

function attempted(command: string | undefined): ToolCall | undefined {
  if (command === undefined) return undefined;
  return { id: `toolu_${crypto.randomUUID()}`, name: "Bash", input: { command, description: "Try it" } };
}

/** The call after those that were made. */
function nextCall(body: string): ToolCall | undefined {
  const asked = CALLS.find(({ prompt, tool }) => body.includes(prompt) && body.includes(`"name":"${tool}"`));
  const done = new Set([...body.matchAll(/"tool_use_id":"(toolu_\d+)"/g)].map(([, id]) => id)).size;
  const input = asked?.inputs[done];
  return asked && input && { id: `toolu_${done + 1}`, name: asked.tool, input };
}

function toolUse({ id, name, input }: ToolCall, message: object, usage: object): object[] {
  const partial_json = JSON.stringify(input);
  return [
    { type: "message_start", message },
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id, name, input: {} },
    },
    { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
}

async function bodyOf(request: Request): Promise<string> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  const encoding = request.headers.get("content-encoding");
  const plain =
    encoding === "zstd" ? Bun.zstdDecompressSync(bytes) : encoding === "gzip" ? Bun.gunzipSync(bytes) : bytes;
  return new TextDecoder().decode(plain);
}

function stream(events: readonly object[]): Response {
  const named = (event: object) => ("type" in event ? `event: ${event.type}\n` : "");
  const text = events.map((event) => `${named(event)}data: ${JSON.stringify(event)}\n\n`).join("");
  const isChat = events.some((event) => "choices" in event);
  return new Response(isChat ? `${text}data: [DONE]\n\n` : text, {
    headers: { "content-type": "text/event-stream" },
  });
}

/** OpenAI's Responses API: a text, or a call of the shell. */
function responses(command?: string): object[] {
  const id = "resp_1";
  const item =
    command === undefined
      ? { type: "message", id: "msg_1", role: "assistant" }
      : { type: "function_call", id: "fc_1", name: "exec_command", call_id: crypto.randomUUID() };
  const content = [{ type: "output_text", text: DECISION, annotations: [] }];
  const said = command === undefined ? { content } : { arguments: JSON.stringify({ cmd: command }) };
  const done = { ...item, status: "completed", ...said };
  const usage = {
    input_tokens: 950,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 50,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 1_000,
  };
  const response = { id, object: "response", model: "mock-1" };
  const delta = { item_id: "msg_1", output_index: 0, content_index: 0, delta: DECISION };
  return [
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { ...item, status: "in_progress", ...(command === undefined && { content: [] }) },
    },
    ...(command === undefined ? [{ type: "response.output_text.delta", ...delta }] : []),
    { type: "response.output_item.done", output_index: 0, item: done },
    { type: "response.completed", response: { ...response, status: "completed", output: [done], usage } },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
}

const CHAT = { id: "chatcmpl-1", created: 1_700_000_000, model: "mock-1" };
const USAGE = { prompt_tokens: 1_000, completion_tokens: 40, total_tokens: 1_040 };

function chunk(delta: object, finish_reason: string | null) {
  return { ...CHAT, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] };
}

function lookUp(name: string, query: string): object[] {
  const call = {
    index: 0,
    id: "call_1",
    type: "function",
    function: { name, arguments: JSON.stringify({ query }) },
  };
  return [
    chunk({ role: "assistant", content: "" }, null),
    chunk({ tool_calls: [call] }, null),
    { ...chunk({}, "tool_calls"), usage: USAGE },
  ];
}

function chatChunks(): object[] {
  return [
    chunk({ role: "assistant", content: "" }, null),
    chunk({ content: DECISION }, null),
    { ...chunk({}, "stop"), usage: USAGE },
  ];
}

function chatAnswer(): object {
  const message = { role: "assistant", content: DECISION };
  const choices = [{ index: 0, finish_reason: "stop", message }];
  return { ...CHAT, object: "chat.completion", choices, usage: USAGE };
}

function geminiAnswer(command?: string): object {
  const functionCall = { name: "run_shell_command", args: { command, description: "Try it" } };
  const content = { role: "model", parts: [command === undefined ? { text: DECISION } : { functionCall }] };
  return {
    responseId: "resp_1",
    modelVersion: "mock-1",
    candidates: [{ index: 0, content, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 1_000, candidatesTokenCount: 40, totalTokenCount: 1_040 },
  };
}
