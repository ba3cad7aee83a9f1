import { describe, expect, test } from "bun:test";
import { buildHits } from "../../src/recall/hits.ts";
import { composeText, type PartContent } from "../../src/turn/text.ts";
import { aQuery, aScored, aStore, aTurn } from "./made.ts";

const text = `[User] ${"Nothing here. ".repeat(10)}The parser is slow. ${"Nothing there. ".repeat(10)}`;
const parts = aQuery({ terms: [{ term: "parser", turnIds: [1], weight: 1, rarity: 1, share: 0.01 }] });

test("a hit has the passage of the chunk with the best keywords, else of the nearest", async () => {
  const asked: (readonly number[])[] = [];
  const at = (piece: string) => ({ start: text.indexOf(piece), end: text.indexOf(piece) + piece.length });
  const store = aStore({
    chunks: async (ids) => {
      asked.push(ids);
      return [
        { chunkId: 1, turnId: 1, chunkIndex: 0, content: "", ...at("Nothing there. ") },
        { chunkId: 2, turnId: 1, chunkIndex: 1, content: "", ...at("The parser is slow. ") },
      ];
    },
  });
  const turn = aTurn({ turnId: 1, text });
  const ranked = [
    aScored(turn, { nearestChunk: 1, keywordChunk: 2, distance: 0.1 }),
    aScored(turn, { nearestChunk: 1, distance: 0.2 }),
    aScored(turn, { distance: null }),
  ];
  const hits = await buildHits(ranked, parts, store, 25);
  expect(hits.map(({ quoted }) => quoted().passage)).toEqual([
    "The parser is slow.",
    "Nothing there.",
    "The parser is slow.",
  ]);
  expect(hits.map(({ distance }) => distance)).toEqual([0.1, 0.2, null]);
  expect(asked).toEqual([[2, 1]]);
});

test("a turn that was found by its place alone reports a fixed distance", async () => {
  const distances = await buildHits(
    [["file"], ["access"], ["file", "access"], ["vector"]].map((sources) =>
      aScored(aTurn({ turnId: 1 }), { sources: new Set(sources as never[]), distance: 0.1 }),
    ),
    parts,
    aStore(),
    100,
  );
  expect(distances.map(({ distance, sources }) => [distance, sources.length])).toEqual([
    [0.4, 1],
    [0.38, 1],
    [0.1, 2],
    [0.1, 1],
  ]);
});

describe("a hit's statement", () => {
  const sought = aQuery({ terms: [{ term: "limit", turnIds: [1], weight: 3, rarity: 3, share: 0.01 }] });
  const statementOf = async (...pieces: PartContent[]) => {
    const turn = aTurn({ turnId: 1, ...composeText(pieces) });
    const [hit] = await buildHits([aScored(turn)], sought, aStore(), 600);
    const { statement = null } = hit?.quoted() ?? {};
    return statement && { text: statement.text, kind: statement.kind };
  };

  test("is the sentence that settles what was asked, not the question", async () => {
    expect(
      await statementOf(
        { kind: "prompt", text: "What is the limit of an upload?" },
        { kind: "narration", text: "Let me look at the limit in the settings." },
        {
          kind: "answer",
          text: "I read the settings. The limit is 20 MB because the proxy cuts longer bodies.",
        },
      ),
    ).toEqual({ text: "The limit is 20 MB because the proxy cuts longer bodies.", kind: "answer" });
  });

  test("is what was said before what was thought", async () => {
    expect(
      await statementOf(
        { kind: "thinking", text: "The limit must be 20 MB because the proxy cuts longer bodies." },
        { kind: "answer", text: "Uploads have a limit of 20 MB now." },
      ),
    ).toEqual({ text: "Uploads have a limit of 20 MB now.", kind: "answer" });
  });

  test("says that it was only thought", async () => {
    expect(
      await statementOf(
        { kind: "prompt", text: "What is the limit of an upload?" },
        { kind: "thinking", text: "The limit must be 20 MB since the proxy cuts longer bodies." },
      ),
    ).toEqual({ text: "The limit must be 20 MB since the proxy cuts longer bodies.", kind: "thinking" });
  });

  test("is the user's own words where nothing else has those of the query", async () => {
    expect(
      await statementOf(
        { kind: "prompt", text: "The limit of an upload must stay at 20 MB." },
        { kind: "answer", text: "Understood, it stays as it is now." },
      ),
    ).toEqual({ text: "The limit of an upload must stay at 20 MB.", kind: "prompt" });
  });

  test("is the answer where the question repeats the query and the answer has few of its words", async () => {
    const pieces: PartContent[] = [
      { kind: "prompt", text: "Why do we keep failed webhook deliveries in Postgres and not in Redis?" },
      { kind: "answer", text: "Because a deploy flushes Redis, and failed deliveries must survive it." },
    ];
    const terms = ["keep", "webhook", "failed", "deliveri", "postgres"].map((term) => ({
      ...{ term, turnIds: [1], weight: 3, rarity: 3, share: 0.01 },
    }));
    const turn = aTurn({ turnId: 1, ...composeText(pieces) });
    const [hit] = await buildHits([aScored(turn)], aQuery({ terms }), aStore(), 600);
    expect(hit?.quoted().statement).toMatchObject({ text: pieces[1]?.text ?? "", kind: "answer" });
  });

  test.each([
    "TypeError: Cannot read properties of undefined (reading 'limit')",
    "src/upload.ts(4,7): error TS2322: Type 'limit' is not assignable to type 'number'",
    "error[E0382]: borrow of moved value: `limit`",
    "ENOSPC: no space left on device, write limit.log",
    "sh: limit: command not found",
    "./limit: Segmentation fault (core dumped)",
    "limit.sh exited with code 137",
  ])("is what was said of an error that the prompt quotes and the query asks for: %s", async (error) => {
    const pieces: PartContent[] = [
      { kind: "prompt", text: error },
      {
        kind: "answer",
        text: "The settings were loaded after the server had started. It waits for them now.",
      },
    ];
    const turn = aTurn({ turnId: 1, ...composeText(pieces) });
    const [hit] = await buildHits([aScored(turn)], { ...sought, text: error }, aStore(), 600);
    expect(hit?.quoted().statement?.kind).toBe("answer");
  });

  test("comes with what the user said next, and when", async () => {
    const turn = aTurn({
      turnId: 1,
      ...composeText([
        { kind: "prompt", text: "What is the limit?" },
        { kind: "answer", text: "I propose a limit of 20 MB for an upload." },
        { kind: "forward", text: "no, 30 MB" },
      ]),
    });
    const [hit] = await buildHits([aScored(turn)], sought, aStore(), 600);
    expect(hit?.quoted().statement?.next).toEqual({
      ...{ text: "no, 30 MB", isUnsure: false, at: null, turn: null },
    });
  });

  test("is null where no sentence has a word of the query", async () => {
    expect(await statementOf({ kind: "answer", text: "The proxy cuts longer bodies than that." })).toBeNull();
  });
});
