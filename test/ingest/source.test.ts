import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { FINGERPRINT_SIZE, fingerprint } from "../../src/ingest/source.ts";
import { fcOptions } from "../support/fast-check.ts";

const directory = mkdtempSync(join(tmpdir(), "mementor-fingerprint-"));
const path = join(directory, "transcript.jsonl");
const SMALL = { blockBytes: 8, blocks: 4 };

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function of(bytes: Uint8Array, byteOffset: number, limits = SMALL): string | null {
  writeFileSync(path, bytes);
  return fingerprint(path, byteOffset, limits);
}

/** Bytes, how many of them were read, and how many of these are changed from where on. */
const changes = fc
  .uint8Array({ minLength: 1, maxLength: 120 })
  .chain((bytes) => fc.tuple(fc.constant(bytes), fc.integer({ min: 1, max: bytes.length })))
  .chain(([bytes, read]) => {
    const gap = Math.ceil((read - SMALL.blockBytes * SMALL.blocks) / (SMALL.blocks - 1));
    const length = Math.min(read, Math.max(1, gap + 1));
    const from = fc.integer({ min: 0, max: read - length });
    return fc.record({
      bytes: fc.constant(bytes),
      read: fc.constant(read),
      from,
      length: fc.constant(length),
    });
  });

test("changes with what was read: with any byte of a short file, with a long passage of a long one", () => {
  fc.assert(
    fc.property(changes, ({ bytes, read, from, length }) => {
      const changed = bytes.map((byte, i) => (i >= from && i < from + length ? byte ^ 1 : byte));
      expect(of(changed, read)).not.toBe(of(bytes, read));
    }),
    fcOptions(),
  );
});

test("stays the same while the file grows, and is null after it shrank", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 120 }),
      fc.uint8Array({ minLength: 1, maxLength: 20 }),
      (bytes, more) => {
        expect(of(new Uint8Array([...bytes, ...more]), bytes.length)).toBe(of(bytes, bytes.length));
        expect(of(bytes, bytes.length + more.length)).toBeNull();
      },
    ),
    fcOptions(),
  );
});

test("covers every byte of a transcript of ordinary length", () => {
  const bytes = new Uint8Array(FINGERPRINT_SIZE.blockBytes * FINGERPRINT_SIZE.blocks);
  const before = of(bytes, bytes.length, FINGERPRINT_SIZE);
  for (const share of [0, 0.123, 0.5, 0.77]) {
    const at = Math.floor(share * bytes.length);
    expect(
      of(
        bytes.map((byte, i) => (i === at ? 1 : byte)),
        bytes.length,
        FINGERPRINT_SIZE,
      ),
    ).not.toBe(before);
  }
});
