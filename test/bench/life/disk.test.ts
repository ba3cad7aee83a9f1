import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SCRATCH } from "../../support/scratch.ts";
import { Disk } from "./disk.ts";
import type { Session } from "./history.ts";

const session = (id: string, times: string[]): Session => ({
  id,
  folder: "x",
  rows: times.map((time, line) => ({
    time,
    text: `${id}${line}`,
    cwd: null,
    prompt: null,
    files: [],
  })),
});

test("the disk holds the own session up to its line, and of others what was written before", () => {
  const folder = mkdtempSync(join(SCRATCH, "mementor-life-"));
  try {
    const [a, b, c] = [session("a", ["1", "3", "5", "4"]), session("b", ["2", "4"]), session("c", ["9"])];
    const disk = new Disk(folder, [a, b, c], (json) => json.toUpperCase());
    const held = () =>
      Object.fromEntries(
        readdirSync(folder).map((name) => [
          name,
          readFileSync(join(folder, name), "utf8").trim().split("\n"),
        ]),
      );
    disk.advance(a, 1, "3");
    expect(held()).toEqual({ "a.jsonl": ["A0"], "b.jsonl": ["B0"] });
    expect(disk.takeChanged()).toEqual([disk.fileOf(a), disk.fileOf(b)]);
    disk.advance(b, 1, "4");
    expect(held()).toEqual({ "a.jsonl": ["A0", "A1"], "b.jsonl": ["B0"] });
    expect(disk.takeChanged()).toEqual([disk.fileOf(a)]);
    disk.advance(a, 3, "4");
    expect(held()).toEqual({ "a.jsonl": ["A0", "A1", "A2"], "b.jsonl": ["B0"] });
    disk.advance(c, 0, "9");
    expect(held()).toEqual({ "a.jsonl": ["A0", "A1", "A2", "A3"], "b.jsonl": ["B0", "B1"] });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
