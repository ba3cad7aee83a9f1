import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../store/builders.ts";
import { type Build, freshBinary } from "./binary.ts";

/** Writes what it is told to build from, and counts its calls. */
const BUILDER = `
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
appendFileSync("calls", "x");
const text = readFileSync("src/main.txt", "utf8");
if (text === "broken") throw new Error("no such module");
writeFileSync(process.argv[3], text);`;

let directory: ReturnType<typeof tempDir>;
let build: Build;
beforeEach(() => {
  directory = tempDir();
  const root = directory.path;
  mkdirSync(join(root, "src/deep"), { recursive: true });
  writeFileSync(join(root, "src/main.txt"), "one");
  writeFileSync(join(root, "src/deep/part.txt"), "part");
  writeFileSync(join(root, "builder.ts"), BUILDER);
  build = {
    root,
    sources: ["src", "none.json"],
    binary: join(root, "dist/program"),
    command: [process.execPath, "builder.ts"],
  };
});
afterEach(() => directory[Symbol.dispose]());

const calls = () => readFileSync(join(build.root, "calls"), "utf8").length;
/** Makes everything look old, so that what is written next is newer whatever the clock's steps are. */
function age(): void {
  const [written, built] = [new Date("2026-01-01"), new Date("2026-01-02")];
  for (const path of ["src", "src/deep", "src/main.txt", "src/deep/part.txt"])
    utimesSync(join(build.root, path), written, written);
  utimesSync(build.binary, built, built);
}

test("is built where there is none, and not again while nothing changes", () => {
  expect(freshBinary(build)).toBe(build.binary);
  age();
  expect(readFileSync(freshBinary(build), "utf8")).toBe("one");
  expect(calls()).toBe(1);
});

test.each<[string, () => void]>([
  ["a source changed", () => writeFileSync(join(build.root, "src/deep/part.txt"), "new")],
  ["a source is new", () => writeFileSync(join(build.root, "src/deep/more.txt"), "more")],
  ["a source is gone", () => rmSync(join(build.root, "src/deep/part.txt"))],
])("is built anew when %s", (_, change) => {
  freshBinary(build);
  age();
  change();
  writeFileSync(join(build.root, "src/main.txt"), "two");
  utimesSync(join(build.root, "src/main.txt"), new Date(0), new Date(0));
  expect(readFileSync(freshBinary(build), "utf8")).toBe("two");
  expect(calls()).toBe(2);
});

test("is built once when several processes need it at once", async () => {
  const module = join(import.meta.dir, "binary.ts");
  const script = `import { freshBinary } from ${JSON.stringify(module)};
    freshBinary(${JSON.stringify(build)});`;
  const running = Array.from({ length: 4 }, () => Bun.spawn([process.execPath, "-e", script]));
  expect(await Promise.all(running.map(({ exited }) => exited))).toEqual([0, 0, 0, 0]);
  expect(calls()).toBe(1);
});

test("says why it does not build, and leaves the old one", () => {
  freshBinary(build);
  age();
  writeFileSync(join(build.root, "src/main.txt"), "broken");
  expect(() => freshBinary(build)).toThrow("no such module");
  expect(readFileSync(build.binary, "utf8")).toBe("one");
});
