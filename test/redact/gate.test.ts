import { expect, test } from "bun:test";
import type { Chunk, PrLink, Turn } from "../../src/domain.ts";
import { type Clean, clean, cleaned, cleanId, cleanJson } from "../../src/redact/gate.ts";
import type { Connection } from "../../src/store/sqlite/connection/connection.ts";
import { type TurnChunks, writeChunks } from "../../src/store/sqlite/write/chunks.ts";
import {
  writePrLinks,
  writeSessions,
  writeSource,
  writeSubagents,
  writeTurnDetails,
} from "../../src/store/sqlite/write/facts.ts";
import { placeTurn, writeText } from "../../src/store/sqlite/write/turns.ts";
import type { SourceState, WriteBatch } from "../../src/store/stored.ts";
import { generator } from "./generate.ts";

const make = generator(7);

test("what was not cleaned does not compile", () => {
  // Never called: what counts is that the compiler takes a call with what is clean, and refuses the same call with one plain part.
  const never = (
    connection: Connection,
    plain: { turn: Turn; chunk: Chunk; source: SourceState; batch: WriteBatch; link: PrLink; text: string },
    stored: Clean<typeof plain>,
  ) => {
    const chunks: TurnChunks = { turnId: 1, text: stored.text, parts: [], chunks: [], textChanged: true };
    const source = { id: 1, path: stored.text };

    writeText(connection, 1, stored.text);
    placeTurn(connection, source, stored.turn, stored.batch);
    writeTurnDetails(connection, 1, stored.turn);
    writeChunks(connection, { ...chunks, chunks: [stored.chunk] });
    writeSource(connection, stored.source);
    writeSessions(connection, stored.batch);
    writeSubagents(connection, stored.batch.subagents);
    writePrLinks(connection, [stored.link]);

    // @ts-expect-error A string is not clean by itself.
    writeText(connection, 1, plain.text);
    // @ts-expect-error A turn goes through the gate.
    placeTurn(connection, source, plain.turn, stored.batch);
    // @ts-expect-error So do the others of its batch.
    placeTurn(connection, source, stored.turn, plain.batch);
    // @ts-expect-error So do its mentions and commits.
    writeTurnDetails(connection, 1, plain.turn);
    // @ts-expect-error So does its text.
    writeChunks(connection, { ...chunks, text: plain.text });
    // @ts-expect-error So do its chunks.
    writeChunks(connection, { ...chunks, chunks: [plain.chunk] });
    // @ts-expect-error So does a transcript's state.
    writeSource(connection, plain.source);
    // @ts-expect-error So do sessions.
    writeSessions(connection, plain.batch);
    // @ts-expect-error So do subagents.
    writeSubagents(connection, plain.batch.subagents);
    // @ts-expect-error So do pull requests.
    writePrLinks(connection, [plain.link]);
    // @ts-expect-error Clean pieces joined by hand are not clean: what they make together may be a secret.
    writeText(connection, 1, `${clean("a")}${clean("b")}`);
  };
  expect(never).toBeFunction();
});

test("every string of a record is cleaned, its identifiers stay what they are", () => {
  const token = make("ghp_{b62:36}").text;
  const uuid = make("{uuid}").text;
  expect(
    cleaned({
      sessionId: uuid,
      title: `use ${token}`,
      tags: [token],
      at: 1,
      none: null,
      role: "turn" as const,
    }),
  ).toEqual({
    sessionId: uuid,
    title: "use [redacted:github-token]",
    tags: ["[redacted:github-token]"],
    at: 1,
    none: null,
    role: "turn",
  } as never);
});

test("an identifier that is a secret becomes another one, always the same", () => {
  const token = make("ghp_{b62:36}").text;
  const id: string = cleanId(token);
  expect(id).toMatch(/^id-[0-9a-z]+$/);
  expect(cleanId(token)).toBe(cleanId(token));
  expect(cleanId(id) as string).toBe(id);
  const plain = make("{uuid}").text;
  expect(cleanId(plain) as string).toBe(plain);
});

test("JSON stays JSON, with keys that come from outside cleaned where they are named", () => {
  const token = make("ghp_{b62:36}").text;
  const json = JSON.stringify({ counts: { skipped: { [token]: 1, user: 2 } }, branch: `fix/${token}` });
  const left: string = cleanJson(json, ["skipped"]);
  expect(left).not.toContain(token);
  expect(JSON.parse(left)).toEqual({
    counts: { skipped: { [cleanId(token)]: 1, user: 2 } },
    branch: "fix/[redacted:github-token]",
  });
  expect(cleanJson(`no JSON ${token}`) as string).toBe("no JSON [redacted:github-token]");
});
