import { describe, expect, test } from "bun:test";
import { MementorError } from "../../src/errors.ts";
import type { Memory } from "../../src/mcp/memory.ts";
import { callTool, listedTools, TOOLS } from "../../src/mcp/tools.ts";
import { SILENT_LOG } from "../../src/project/log.ts";
import { FIELDS, readFilter } from "../../src/store/filter.ts";

const NOW = new Date("2026-03-04T12:00:00Z");

const noMemory: Memory = {
  read: async () => {
    throw new MementorError("not_found", "no database at /x", { hint: "Run `mementor enable`." });
  },
  embed: async () => null,
  note: async (text) => ({ turnId: 7, sessionId: text, isEmbedded: true, isRedacted: false, isNew: true }),
  cwd: "/x",
  of: async () => noMemory,
  team: async () => Promise.reject(new MementorError("usage", "no team")),
  all: {
    search: async () => Promise.reject(new MementorError("not_found", "no memories")),
  },
  filter: async (args) => readFilter(args, { now: NOW, cwd: "/x", roots: () => [] }),
  unseen: async (args) => readFilter(args, { now: NOW, cwd: "/x", roots: () => [] }),
  by: "server",
  askedBy: () => noMemory,
  now: () => NOW,
};

async function call(name: string, args: unknown) {
  const tool = TOOLS.find((one) => one.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  const { content, isError } = await callTool(tool, args, noMemory, SILENT_LOG);
  return { isError, text: content.map((part) => (part.type === "text" ? part.text : "")).join("") };
}

function schemaOf(name: string) {
  return listedTools().find((tool) => tool.name === name)?.inputSchema;
}

/** The filters of `search` as clients see them: flags, and texts but for two. */
const FILTERS: Record<string, { type?: string; [keyword: string]: unknown }> = Object.fromEntries(
  Object.entries(FIELDS).map(([name, { value, description }]) => [
    name,
    { type: value === null ? "boolean" : "string", description },
  ]),
);
FILTERS.role = { ...FILTERS.role, enum: ["turn", "compaction_summary", "away_summary"] };
FILTERS.pr = { ...FILTERS.pr, type: "integer", minimum: 1 };

/** Filters in which the turns of a session do not differ. */
const OF_SESSIONS = ["from", "pr", "author", "human", "automated"];

/** A value that fits a property, as its schema says. */
function valueFor({
  type,
  minimum = 1,
  enum: [first] = [],
}: {
  type: string;
  minimum?: number;
  enum?: readonly string[];
}) {
  if (type === "boolean") return true;
  return type === "integer" ? minimum : (first ?? "2026");
}

describe("tools", () => {
  test("are seven, of which one writes, and say briefly what they are for", () => {
    const listed = listedTools();
    expect(listed.map(({ name, annotations }) => [name, annotations?.readOnlyHint ?? false])).toEqual([
      ["search", true],
      ["show", true],
      ["sessions", true],
      ["file_history", true],
      ["recent", true],
      ["note", false],
      ["search_elsewhere", true],
    ]);
    for (const { annotations, description = "", inputSchema } of listed) {
      const harmless = annotations?.readOnlyHint === true || annotations?.destructiveHint === false;
      expect({ harmless, openWorld: annotations?.openWorldHint }).toEqual({
        harmless: true,
        openWorld: false,
      });
      expect(description.length).toBeLessThan(400);
      expect(inputSchema.additionalProperties).toBe(false);
    }
  });

  test("list their arguments as their schemas check them, in the form that clients should send", () => {
    expect(schemaOf("show")).toEqual({
      type: "object",
      properties: {
        turn: { type: "integer", description: "The number of a turn", minimum: 1 },
        to_turn: {
          type: "integer",
          description: "With turn: the number of the last of several",
          minimum: 1,
        },
        thinking: { type: "boolean", description: "With turn: include thinking" },
        ...Object.fromEntries(
          Object.entries(FILTERS).flatMap(([name, { type }]) =>
            OF_SESSIONS.includes(name) ? [] : [[name, { type }]],
          ),
        ),
        session: { type: "string", description: "The id of a session, or its start" },
        cursor: { type: "string" },
        max_tokens: { type: "integer" },
      },
      additionalProperties: false,
    });
    expect(schemaOf("search")).toMatchObject({
      properties: {
        ...FILTERS,
        mode: {
          type: "string",
          enum: ["hybrid", "keyword", "vector"],
          description: "hybrid (default), keyword for exact words, vector for meaning alone",
        },
      },
      required: ["query"],
    });
  });

  test("take at most 8 KB of each session, and say of every argument once what it is", () => {
    const listed = listedTools();
    expect(Buffer.byteLength(JSON.stringify({ tools: listed }))).toBeLessThanOrEqual(8_000);
    const described = new Set<string>();
    for (const { inputSchema } of listed)
      for (const [name, property] of Object.entries(inputSchema.properties ?? {})) {
        if ("description" in property) described.add(name);
        expect({ name, isDescribed: described.has(name) }).toEqual({ name, isDescribed: true });
      }
  });

  for (const { name, inputSchema } of listedTools())
    test(`${name} takes every argument that it lists`, async () => {
      for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
        // What search says of an argument holds for the other tools.
        const known = { ...schemaOf("search")?.properties?.[argument], ...schema };
        const value = valueFor(known as Parameters<typeof valueFor>[0]);
        const { text } = await call(name, { query: "q", path: "p", turn: 1, [argument]: value });
        expect(text).not.toContain(`"${argument}"`);
      }
    });

  const cases: [string, unknown, string][] = [
    ["search", {}, '"query" is missing.\nsearch takes query,'],
    ["search", undefined, '"query" is missing.'],
    ["search", [], '"query" is missing.'],
    ["search", "sqlite", "The arguments must be an object."],
    ["search", { query: " " }, '"query" must not be empty.'],
    ["search", { query: 5 }, '"query" must be a string, not 5.'],
    ["search", { query: "a", limit: 0 }, '"limit" must be at least 1, not 0.'],
    ["search", { query: "a", limit: 1.5 }, '"limit" must be a whole number, not 1.5.'],
    ["search", { query: "a", max_tokens: 1e9 }, '"max_tokens" must be at most 20000, not 1000000000.'],
    [
      "search",
      { query: "a", cursor: "next" },
      '"cursor" must be the next_cursor of an earlier answer, not "next".',
    ],
    ["search", { query: "a", mode: "fuzzy" }, '"mode" must be one of hybrid, keyword, vector, not "fuzzy".'],
    ["search", { query: "a", who: "me" }, 'There is no argument "who".'],
    ["recent", { since: "soonish" }, 'Cannot read "soonish" as a time.\nTry "3 days ago"'],
    ["show", {}, "Give either a turn or a session."],
    ["show", { turn: 1, session: "a" }, "Give either a turn or a session."],
    ["note", { text: "  " }, '"text" must not be empty.'],
    ["note", { text: "x".repeat(8_001) }, '"text" must have at most 8000 characters'],
    ["file_history", { path: null }, '"path" must be a string, not null.'],
  ];
  for (const [name, args, complaint] of cases)
    test(`${name} of ${JSON.stringify(args)} is refused with a reason`, async () => {
      const memory: Memory = { ...noMemory, read: (look) => look({ browse: {}, search: {} } as never) };
      const tool = TOOLS.find((one) => one.name === name);
      const answer = tool && (await callTool(tool, args, memory, SILENT_LOG));
      const [part] = answer?.content ?? [];
      expect(answer?.isError).toBe(true);
      expect(part?.type === "text" ? part.text : "").toContain(complaint);
    });

  test("digits in a string and nulls are accepted", async () => {
    const { text } = await call("show", { turn: "7", session: null, to_turn: null, cursor: null });
    expect(text).toStartWith("No database at /x.");
  });

  test("null for an argument means what its absence means", async () => {
    const args = { query: "q", limit: null, cursor: null, max_tokens: null, mode: null, pr: null };
    expect(await call("search", args)).toEqual(await call("search", { query: "q" }));
  });

  test("a missing memory is an answer that says what to do", async () => {
    expect(await call("recent", {})).toEqual({
      isError: true,
      text: "No database at /x.\nRun `mementor enable`.",
    });
  });
});
