import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findSecrets, redact } from "../../../src/redact/redact.ts";
import type { FolderRecord } from "../../../src/store/folder.ts";
import {
  encodeKey,
  keyId,
  keyOfCode,
  newKey,
  projectTag,
  readCounter,
  seal,
  unseal,
} from "../../../src/sync/folder/key.ts";
import {
  decodeRecords,
  encodeRecords,
  type Manifest,
  openManifest,
  openSegment,
  sealManifest,
  sealSegment,
} from "../../../src/sync/folder/manifest.ts";
import { checkManifests, coversRange, withRange } from "../../../src/sync/folder/pull.ts";
import { groupSegments } from "../../../src/sync/folder/push.ts";
import { fcOptions } from "../../support/fast-check.ts";

const key = newKey();
const keys = fc.uint8Array({ minLength: 32, maxLength: 32 });
const place = { project: "0123456789abcdef", writer: "fedcba9876543210", name: "manifest" };
const shelf = { key, project: place.project, writer: place.writer };

const record: FolderRecord = {
  seq: 7,
  kind: "turn",
  key: "ab".repeat(16),
  home: { writer: "0123456789abcdef", name: "laptop" },
  cleans: { writer: "0123456789abcdef", seq: 3 },
  turn: {
    session: {
      ...{ sessionId: "s1", client: "claude-code", automated: false, branch: "main" },
      ...{ startedAt: "2026-03-04T10:00:00.000Z", endedAt: null },
      opening: {
        ...{ title: "Tea", titleSource: "ai-title", firstPrompt: "tea?" },
        links: [
          {
            sessionId: "s1",
            prNumber: 1,
            prUrl: "https://git.example/1",
            prRepository: "shop",
            timestamp: null,
          },
        ],
      },
    },
    ...{
      agentId: "a1",
      subagent: { agentType: "explore", task: "look" },
      isSidechain: true,
      origin: "subagent",
    },
    ...{ toolSummary: ["Read(a.ts)"] },
    ...{
      mentions: [{ filePath: "a.ts", toolName: "Read" }],
      commits: [{ hash: "abcdef1", message: "Pour" }],
    },
    ...{ createdAt: null, endedAt: null, branch: null, model: null, clientVersion: null, promptUuid: "p1" },
    ...{ text: "[User] tea 🍵", parts: [{ kind: "prompt", start: 7, end: 13 }] },
    chunks: [
      { chunkIndex: 0, start: 0, end: 10, content: "[User] tea", vector: Float32Array.of(0.5, -0.25) },
      { chunkIndex: 1, start: 7, end: 10, content: "tea", vector: null },
    ],
    vectorModel: { id: "m", dimensions: 2 },
  },
};
const mark: FolderRecord = {
  ...{ seq: 8, kind: "mark", key: "cd".repeat(16) },
  mark: {
    ...{ mark: "answer:x", isOn: true, time: "2026-03-04T10:00:00.000Z" },
    answer: { kind: "bad", prompt: "tea?", subject: null },
  },
};

describe("a code", () => {
  test("is its key in 17 words, however they are typed", () => {
    fc.assert(
      fc.property(keys, (bytes) => {
        const code = encodeKey(bytes);
        expect(code).toMatch(/^memkey(?: [a-z]{5}){17}$/);
        const typed = `  ${code.toUpperCase().replace("MEMKEY ", "").replaceAll(" ", " - ")}\n`;
        expect(keyOfCode(typed)).toEqual(bytes);
      }),
      fcOptions(),
    );
  });

  test("with one mistyped word is refused", () => {
    const words = encodeKey(key).split(" ");
    const other = words[3] === "babab" ? "babad" : "babab";
    for (const wrong of [words.with(3, other), words.with(5, "house"), words.slice(0, -1)])
      expect(() => keyOfCode(wrong.join(" "))).toThrow();
  });

  test("is redacted wherever it stands", () => {
    fc.assert(
      fc.property(keys, (bytes) => {
        const code = encodeKey(bytes);
        const bare = code.replace("memkey ", "");
        for (const text of [
          `I typed ${code} just now`,
          `the words:\n${bare}\n`,
          `code: ${bare}`,
          code.replaceAll(" ", "-"),
        ]) {
          const [first = ""] = bare.split(" ");
          expect(findSecrets(text).map(({ kind }) => kind)).toContain("sync-code");
          expect(redact(text)).not.toContain(first);
        }
      }),
      fcOptions(),
    );
  });

  test("tells nothing by its names", () => {
    expect(keyId(key)).not.toBe(projectTag(key, "shop"));
    expect(projectTag(key, "shop")).not.toBe(projectTag(newKey(), "shop"));
  });
});

describe("a sealed file", () => {
  test("opens at its place with its key alone", async () => {
    const sealed = await seal(key, place, 5, new Uint8Array([1, 2, 3]));
    expect(readCounter(sealed)).toBe(5);
    expect(await unseal(key, place, sealed)).toEqual(new Uint8Array([1, 2, 3]));
    expect(await unseal(newKey(), place, sealed)).toBe(null);
    for (const other of [{ project: "x" }, { writer: "x" }, { name: "x" }])
      expect(await unseal(key, { ...place, ...other }, sealed)).toBe(null);
  });

  test("does not open after any change of a byte, its counter included, or cut", async () => {
    const sealed = await seal(key, place, 5, new TextEncoder().encode("tea"));
    await fc.assert(
      fc.asyncProperty(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const damaged = Uint8Array.from(sealed);
        damaged[at] = (damaged[at] ?? 0) ^ flip;
        expect(await unseal(key, place, damaged)).toBe(null);
        expect(await unseal(key, place, sealed.subarray(0, at))).toBe(null);
      }),
      fcOptions(),
    );
  });

  test("never has a nonce twice", async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => seal(key, place, 5, new Uint8Array(0))));
    expect(new Set(all.map((sealed) => Buffer.from(sealed).toString("hex"))).size).toBe(50);
  });

  test("of any bytes is no error", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), async (bytes) => {
        expect(await unseal(key, place, bytes)).toBe(null);
        expect(await openManifest(key, place.project, place.writer, bytes)).toBe(null);
        await decodeRecords(bytes);
      }),
      fcOptions(),
    );
  });
});

describe("a segment", () => {
  test("brings records back, vectors in half precision", async () => {
    expect(await decodeRecords(await encodeRecords([record, mark]))).toEqual([record, mark]);
    const { segment, bytes } = await sealSegment(shelf, [record, mark], { first: 1, last: 8 });
    expect(segment).toMatchObject({ first: 1, last: 8, records: 2, bytes: bytes.length });
    expect(await openSegment(shelf, segment, bytes)).toEqual([record, mark]);
  });

  test("that is not what was listed says what is wrong", async () => {
    const { segment, bytes } = await sealSegment(shelf, [mark], { first: 1, last: 8 });
    const other = await sealSegment({ ...shelf, key: newKey() }, [mark], { first: 1, last: 8 });
    expect(await openSegment(shelf, segment, bytes.subarray(1))).toBe("is not there as a whole");
    expect(await openSegment(shelf, segment, bytes.with(60, (bytes[60] ?? 0) ^ 1))).toBe("is damaged");
    expect(await openSegment(shelf, other.segment, other.bytes)).toBe("was not written by this device");
  });
});

const manifest: Manifest = {
  ...{
    version: 1,
    writer: place.writer,
    counter: 3,
    device: { id: place.writer, name: "laptop" },
    project: "shop",
  },
  ...{ time: "2026-03-04T10:00:00.000Z", segments: [], gone: ["ab"], seen: {}, over: [], rotatedTo: null },
};

describe("a manifest", () => {
  test("says what was written, to who has the key", async () => {
    const sealed = await sealManifest(key, place.project, manifest);
    expect((await openManifest(key, place.project, place.writer, sealed))?.manifest).toEqual(manifest);
    expect(await openManifest(key, place.project, "0000000000000000", sealed)).toBe(null);
  });

  test("that leads out of its directory is none", async () => {
    for (const name of ["../../x.seg", "1-1-0123456789abcdef.seg/..", "manifest"]) {
      const segments = [{ name, first: 1, last: 1, records: 1, bytes: 1, hash: "ab" }];
      const sealed = await sealManifest(key, place.project, { ...manifest, segments });
      expect(await openManifest(key, place.project, place.writer, sealed)).toBe(null);
    }
  });

  test("that is older than anybody saw is named, and taken when the user says so", () => {
    const of = (writer: string, counter: number, seen: Record<string, number> = {}) => ({
      manifest: { ...manifest, writer, counter, seen, device: { id: writer, name: `device ${writer}` } },
      hash: `${writer}${counter}`,
    });
    const [a, b] = ["aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"];
    const found = [of(a, 5), of(b, 9, { [a]: 7 })];
    const problems = (known: [string, { counter: number; hash: string }][], accepts = false) =>
      checkManifests(found, new Map(known), accepts).map(({ problem }) => problem);
    expect(problems([])).toEqual([`it is older than the state that device ${b} has seen`, null]);
    expect(problems([[b, { counter: 10, hash: "x" }]])[1]).toBe(
      "it is older than the state seen here before",
    );
    expect(problems([[b, { counter: 9, hash: "x" }]])[1]).toStartWith(
      "two different states of it have the same number",
    );
    expect(problems([[b, { counter: 10, hash: "x" }]], true)).toEqual([null, null]);
  });
});

test("ranges hold what was added, and nothing else", () => {
  const spans = fc.array(
    fc.tuple(fc.nat(30), fc.nat(5)).map(([first, more]): [number, number] => [first, first + more]),
  );
  fc.assert(
    fc.property(spans, (added) => {
      const ranges = added.reduce<[number, number][]>(
        (all, [first, last]) => withRange(all, first, last),
        [],
      );
      const numbers = new Set(
        added.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i)),
      );
      for (let n = 0; n < 40; n++) expect(coversRange(ranges, n, n)).toBe(numbers.has(n));
    }),
    fcOptions(),
  );
});

test("small segments that are neighbours are merged, and no others", () => {
  const of = (bytes: number) => ({ bytes, records: 1 });
  const [small, large] = [of(10), of(1_000_000)];
  expect(groupSegments([small, small, large, small, large, small, small, small])).toEqual([
    [small, small],
    [small, small, small],
  ]);
});
