import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { document, EARLIEST, tarGz } from "../../src/build/release/archives.ts";
import { MULTILINGUAL } from "../../src/constants.ts";
import { openModelArchive } from "../../src/embed/models/archive.ts";
import { downloadOfRelease } from "../../src/embed/models/hub.ts";
import { updateRegistry } from "../../src/project/registry.ts";
import { multilingualAddress, multilingualOnDisk } from "../../src/setup/program/installation.ts";

function inFolder(run: (folder: string) => void | Promise<void>) {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), "mementor-archive-"));
    await Promise.resolve(run(folder)).finally(() => rmSync(folder, { recursive: true, force: true }));
  };
}

const FILES = ["config.json", "tokenizer.json", "onnx/model_q4.onnx", "README.md", "onnx/other.bin"];
const archiveOf = (paths: readonly string[]) =>
  tarGz(
    paths.map((path) => document(path, path)),
    EARLIEST,
  );

test(
  "an archive gives the files of the model, and nothing else",
  inFolder(async (folder) => {
    const file = join(folder, "any.tar.gz");
    writeFileSync(file, archiveOf(FILES.map((path) => `tiny/${path}`)));
    const archive = await openModelArchive(file);
    await archive.write(join(folder, "out"));
    expect(archive.name).toBe("tiny");
    expect(readdirSync(join(folder, "out"), { recursive: true }).sort()).toEqual(
      ["config.json", "onnx", "onnx/model_q4.onnx", "tokenizer.json"].map((path) => join(path)),
    );
    expect(readFileSync(join(folder, "out", "config.json"), "utf8")).toBe("tiny/config.json");
  }),
);

test(
  "an archive that is none, or with files in several places, is refused",
  inFolder(async (folder) => {
    const file = join(folder, "any.tar.gz");
    writeFileSync(file, "no archive");
    await expect(openModelArchive(file)).rejects.toThrow("it is not an archive, or it is damaged");
    writeFileSync(file, archiveOf(["tiny/config.json", "../../config.json"]));
    await expect(openModelArchive(file)).rejects.toThrow("its files are not in one directory");
    writeFileSync(file, archiveOf(["tiny/config.json"]));
    const archive = await openModelArchive(file);
    await expect(archive.write(join(folder, "out"))).rejects.toThrow("it has no tokenizer.json");
  }),
);

test(
  "the model is found beside the program, in its npm package, and in the directory of a release",
  inFolder((folder) => {
    const program = join(folder, "scope", "linux-x64", "bin", "mementor");
    const release = join(folder, "release");
    const facts = { self: [program], homeDir: folder, platform: "linux", onPath: null } as const;
    const put = (...path: string[]) => {
      const file = join(folder, ...path);
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, "x");
      return file;
    };
    put("scope", "linux-x64", "bin", "mementor");
    expect(multilingualOnDisk(facts, undefined)).toBeNull();
    const inPackage = join(folder, "scope", "model-multilingual", MULTILINGUAL.folder);
    put("scope", "model-multilingual", MULTILINGUAL.folder, "config.json");
    expect(multilingualOnDisk(facts, undefined)).toBe(inPackage);
    const beside = put("scope", "linux-x64", "bin", MULTILINGUAL.archive);
    expect(multilingualOnDisk(facts, undefined)).toBe(beside);
    const released = put("release", MULTILINGUAL.archive);
    expect(multilingualOnDisk(facts, release)).toBe(released);
    put(".local", "share", "mementor", "installed");
    updateRegistry(join(folder, ".config", "mementor"), (registry) => registry);
    writeFileSync(
      join(folder, ".local", "share", "mementor", "installed"),
      `program=${program}\nfrom=${release}\n`,
    );
    expect(multilingualOnDisk(facts, undefined)).toBe(released);
  }),
);

test.each([
  ["https://example.org/v1/", "https://example.org/v1"],
  ["http://127.0.0.1:8123", "http://127.0.0.1:8123"],
  ["http://example.org", null],
  ["https://user@example.org", null],
  ["/releases", null],
  [undefined, null],
])("the address of the release %p is %p", (baseUrl, expected) => {
  expect(multilingualAddress({ homeDir: "/nowhere" }, baseUrl)).toBe(expected);
});

const SUM = new Bun.CryptoHasher("sha256").update("model").digest("hex");
test.each([
  [`${SUM}  a.tar.gz\n`, "model", null],
  [`${SUM}  a.tar.gz\n`, "another", "does not match its sum"],
  [`${SUM}  b.tar.gz\n`, "model", "names no a.tar.gz"],
  [null, "model", "has no SHA256SUMS (404)"],
])("a download with the sums %p and the content %p", async (sums, content, problem) => {
  const folder = mkdtempSync(join(tmpdir(), "mementor-archive-"));
  const fetch = async (url: string) => {
    const text = url.endsWith("SHA256SUMS") ? sums : content;
    return new Response(text, { status: text === null ? 404 : 200 });
  };
  const access = {
    endpoint: "https://example.org",
    fetch,
    onProgress: () => {},
    signal: new AbortController().signal,
  };
  try {
    const download = downloadOfRelease("a.tar.gz", folder, access);
    if (problem === null) expect(readFileSync(await download, "utf8")).toBe("model");
    else expect(download).rejects.toThrow(problem);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
