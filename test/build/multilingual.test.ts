import { expect, test } from "bun:test";
import fc from "fast-check";
import { readWheel, unzip } from "../../src/build/multilingual/files.ts";
import { readEngineFile } from "../../src/build/multilingual/network.ts";
import { document, EARLIEST, zip } from "../../src/build/release/archives.ts";
import { modelPackage } from "../../src/build/release/packages.ts";
import { releaseSettings } from "../../src/build/release/settings.ts";
import { encode, Float, Message } from "../../src/embed/graph/onnx.ts";
import { fcOptions } from "../support/fast-check.ts";

test("a message is written as Protocol Buffers has it", () => {
  const inner = new Message([[1, "ab"]]);
  const message = new Message([
    [1, 300],
    [2, [inner, inner]],
    [3, new Float(1)],
    [16, []],
    [16, new Uint8Array([7])],
  ]);
  expect(Buffer.from(encode(message)).toString("hex")).toBe(
    "08ac02" + "12040a026162" + "12040a026162" + "1d0000803f" + "82010107",
  );
});

test("any file of a zip archive is found again", () => {
  const name = fc.stringMatching(/^[a-z]{1,8}$/);
  fc.assert(
    fc.property(fc.dictionary(name, fc.uint8Array({ maxLength: 300 }), { minKeys: 1 }), (contents) => {
      const paths = Object.keys(contents);
      const archive = zip(
        paths.map((path) => document(path, contents[path] ?? "")),
        EARLIEST,
      );
      for (const path of paths) expect([...unzip(archive, path)]).toEqual([...(contents[path] ?? [])]);
      expect(() => unzip(archive, "No")).toThrow("the zip archive has no No");
    }),
    fcOptions(),
  );
});

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
