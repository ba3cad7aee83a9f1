import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import manifest from "../../package.json" with { type: "json" };
import { TARGETS, type Target } from "../../src/assets/target.ts";
import { isTooNew, neededVersions } from "../../src/build/executable.ts";
import { type ArchivedFile, document, program, tarGz, zip } from "../../src/build/release/archives.ts";
import { archiveName, packageManifests } from "../../src/build/release/formulas.ts";
import { launcherPackage, platformPackage, sbom, tarballName } from "../../src/build/release/packages.ts";
import { releaseSettings } from "../../src/build/release/settings.ts";
import { archivesIn, problemsOf } from "../release/published.ts";
import { fcOptions } from "../support/fast-check.ts";

const TIME = new Date("2026-03-04T05:06:08Z");
const FILES = [
  program(
    "top/mementor",
    new Uint8Array(1500).map((_, index) => index % 7),
  ),
  document("top/LICENSE", "MIT"),
  document("top/man/mementor.1", ""),
];

/** Unpacks an archive with the system's own program, and returns what is in it. */
function unpacked(archive: Uint8Array, command: (file: string, to: string) => string[]): ArchivedFile[] {
  const directory = mkdtempSync(join(tmpdir(), "mementor-archive-"));
  try {
    const file = join(directory, "archive");
    writeFileSync(file, archive);
    const { exitCode, stderr } = Bun.spawnSync(command(file, directory));
    expect({ exitCode, stderr: stderr.toString() }).toEqual({ exitCode: 0, stderr: "" });
    return FILES.map(({ path }) => ({
      path,
      bytes: new Uint8Array(readFileSync(join(directory, path))),
      isExecutable: (statSync(join(directory, path)).mode & 0o111) !== 0,
    }));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test.skipIf(!Bun.which("tar"))("tar reads what was written, modes included", () => {
  expect(unpacked(tarGz(FILES, TIME), (file, to) => ["tar", "-xzf", file, "-C", to])).toEqual(FILES);
});

test.skipIf(!Bun.which("unzip"))("unzip reads what was written, modes included", () => {
  expect(unpacked(zip(FILES, TIME), (file, to) => ["unzip", "-q", file, "-d", to])).toEqual(FILES);
});

test.skipIf(!Bun.which("python3"))(
  "another reader of zip archives sees the same names, sizes and times",
  () => {
    const script =
      "import sys,zipfile,json;z=zipfile.ZipFile(sys.argv[1]);print(json.dumps([z.testzip(),[[i.filename,i.file_size,i.date_time]for i in z.infolist()]]))";
    const directory = mkdtempSync(join(tmpdir(), "mementor-zip-"));
    writeFileSync(join(directory, "a.zip"), zip(FILES, TIME));
    const { stdout } = Bun.spawnSync(["python3", "-c", script, join(directory, "a.zip")]);
    rmSync(directory, { recursive: true });
    const row = ({ path, bytes }: ArchivedFile) => [path, bytes.byteLength, [2026, 3, 4, 5, 6, 8]];
    expect(JSON.parse(stdout.toString())).toEqual([null, FILES.map(row)]);
  },
);

test("equal files make equal archives, and a long path is refused", () => {
  const sizes = fc.array(fc.uint8Array({ maxLength: 2000 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(sizes, (contents) => {
      const files = () => contents.map((bytes, index) => document(`f${index}`, new Uint8Array(bytes)));
      expect(tarGz(files(), TIME)).toEqual(tarGz(files(), TIME));
      expect(zip(files(), TIME)).toEqual(zip(files(), TIME));
    }),
    fcOptions(),
  );
  expect(() => tarGz([document("x".repeat(101), "")], TIME)).toThrow("too long");
});

const NAMES = { npm: { name: "mementor", scope: "@mementor" }, version: "1.2.3", repository: null };
const TEXTS = { license: "L", readme: "R", launcher: 'const SCOPE = "@SCOPE@";' };
const contentOf = (files: readonly ArchivedFile[], path: string) =>
  new TextDecoder().decode(files.find((file) => file.path === path)?.bytes);

test("the launcher's package names a package for each target, without an install script", () => {
  const made = launcherPackage({ ...NAMES, npm: { name: "mem", scope: "@me" } }, TARGETS, TEXTS);
  expect(contentOf(made.files, "package/bin/mementor.cjs")).toBe('const SCOPE = "@me";');
  const manifest = JSON.parse(contentOf(made.files, "package/package.json"));
  expect(manifest).toMatchObject({ name: "mem", version: "1.2.3", bin: { mementor: "bin/mementor.cjs" } });
  expect(Object.keys(manifest.optionalDependencies)).toEqual(TARGETS.map((target) => `@me/${target}`));
  expect(manifest.scripts).toBeUndefined();
});

test.each([
  ["linux-x64", ["linux"], ["x64"], ["glibc"], "mementor"],
  ["linux-x64-baseline", ["linux"], ["x64"], ["glibc"], "mementor"],
  ["linux-arm64-musl", ["linux"], ["arm64"], ["musl"], "mementor"],
  ["darwin-arm64", ["darwin"], ["arm64"], undefined, "mementor"],
  ["windows-x64", ["win32"], ["x64"], undefined, "mementor.exe"],
] as const)("the package of %s is for its machines only", (target, os, cpu, libc, binary) => {
  const made = platformPackage(NAMES, target, new Uint8Array([1]), TEXTS);
  const manifest = JSON.parse(contentOf(made.files, "package/package.json"));
  expect({ os: manifest.os, cpu: manifest.cpu, libc: manifest.libc }).toEqual({
    os: [...os],
    cpu: [...cpu],
    libc: libc && [...libc],
  });
  expect(made.files.filter(({ isExecutable }) => isExecutable).map(({ path }) => path)).toEqual([
    `package/bin/${binary}`,
  ]);
  expect(tarballName(made, "1.2.3")).toBe(`mementor-${target}-1.2.3.tgz`);
});

test.each([
  [{ platform: "linux", arch: "x64", isMusl: false, hasAvx2: true }, ["linux-x64", "linux-x64-baseline"]],
  [{ platform: "linux", arch: "x64", isMusl: false, hasAvx2: false }, ["linux-x64-baseline"]],
  [{ platform: "linux", arch: "x64", isMusl: true, hasAvx2: false }, ["linux-x64-musl"]],
  [{ platform: "linux", arch: "arm64", isMusl: false, hasAvx2: false }, ["linux-arm64"]],
  [{ platform: "linux", arch: "arm64", isMusl: true, hasAvx2: false }, ["linux-arm64-musl"]],
  [{ platform: "darwin", arch: "arm64", isMusl: false, hasAvx2: true }, ["darwin-arm64"]],
  [{ platform: "win32", arch: "x64", isMusl: false, hasAvx2: true }, ["windows-x64"]],
])("the launcher chooses by %p", (machine, targets) => {
  const { targetsFor } = require("../../src/build/release/launcher.cjs");
  expect(targetsFor(machine)).toEqual(targets);
});

const SUMS = new Map(TARGETS.map((target, index) => [target, `${index}`.repeat(64)]));
const PLACES = {
  version: "1.2.3",
  repository: "https://example.org/acme/mementor",
  downloads: "https://example.org/v1.2.3",
};
const made = new Map(packageManifests(PLACES, SUMS));

test("each manifest names archives with their sums, and has the shape that its package manager asks for", () => {
  for (const [name, text] of made)
    expect({ name, problems: problemsOf(name, text) }).toEqual({ name, problems: [] });
  const archives = (targets: readonly Target[]) =>
    targets.map((target) => ({
      url: `${PLACES.downloads}/${archiveName(target)}`,
      sum: SUMS.get(target) ?? "",
    }));
  const named = (name: string) => archivesIn(name, made.get(name) ?? "");
  expect(named("homebrew/mementor.rb")).toEqual(
    archives(["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "linux-x64-baseline"]),
  );
  expect(named("scoop/mementor.json")).toEqual(archives(["windows-x64"]));
  expect(named("winget/acme.mementor.installer.yaml")).toEqual(archives(["windows-x64"]));
});

test("a shape that is wrong is noticed", () => {
  const scoop = made.get("scoop/mementor.json") ?? "";
  expect(problemsOf("scoop/mementor.json", scoop.replace('"license"', '"licence"'))).not.toEqual([]);
  const winget = made.get("winget/acme.mementor.installer.yaml") ?? "";
  expect(problemsOf("winget/acme.mementor.installer.yaml", winget.replace("x64", "amd64"))).not.toEqual([]);
});

test("a manifest whose archives are not part of the release is not made", () => {
  const some = new Map([["linux-x64", "0".repeat(64)]] as const);
  expect(packageManifests(PLACES, some).map(([name]) => name)).toEqual(["marketplace.json"]);
});

test.skipIf(!Bun.which("ruby"))("the formula is Ruby", () => {
  const stdin = Buffer.from(made.get("homebrew/mementor.rb") ?? "");
  expect(Bun.spawnSync(["ruby", "-c"], { stdin }).exitCode).toBe(0);
});

test("the bill of materials gives each component a licence and a name of its own", () => {
  const bom = JSON.parse(sbom("1.2.3", ["zod", "sqlite-vec", "@huggingface/tokenizers"]));
  expect(bom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });
  const components: { "bom-ref": string; licenses: object[]; purl?: string }[] = bom.components;
  const refs = components.map((component) => component["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  const isKnown = ([one, ...more]: object[]) =>
    more.length === 0 && one !== undefined && ("expression" in one || /"id":/.test(JSON.stringify(one)));
  expect(components.filter(({ licenses }) => !isKnown(licenses))).toEqual([]);
  expect(bom.dependencies).toEqual([{ ref: "mementor", dependsOn: refs.toSorted() }]);
  expect(components.find(({ purl }) => purl?.startsWith("pkg:npm/sqlite-vec@"))?.licenses).toEqual([
    { expression: "MIT OR Apache-2.0" },
  ]);
  expect(sbom("1.2.3", ["zod"])).toBe(sbom("1.2.3", ["zod"]));
});

test("a release has the version of package.json and names its targets", () => {
  expect(releaseSettings(["--targets", "linux-x64,linux-x64-musl"])).toMatchObject({
    version: manifest.version,
    targets: ["linux-x64", "linux-x64-musl"],
    out: "dist/release",
  });
  expect(() => releaseSettings(["--version", "99.0.0"])).toThrow("package.json");
  expect(() => releaseSettings(["--targets", "beos-x64"])).toThrow("linux-x64-musl");
});

test.each([
  ["GLIBC_2.28", false],
  ["GLIBC_2.5", false],
  ["GLIBC_2.29", true],
  ["GLIBC_2.100", true],
  ["GLIBCXX_3.4.25", false],
  ["GLIBCXX_3.4.26", true],
  ["GCC_4.3.0", false],
])("%s is too new: %p", (name, isNew) => {
  expect(isTooNew(name)).toBe(isNew);
});

test.skipIf(process.platform !== "linux" || !Bun.which("readelf"))(
  "the versions that a library needs are those that readelf sees",
  async () => {
    const file = "node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1";
    const { stdout } = Bun.spawnSync(["readelf", "-V", "-W", file]);
    const [, needs = ""] = stdout.toString().split("Version needs section");
    const named = needs.matchAll(/Name: ((?:GLIBC|GLIBCXX|CXXABI)_\S+) +Flags/g);
    const names = new Set([...named].map(([, name = ""]) => name));
    expect(names.size).toBeGreaterThan(10);
    expect(await neededVersions(file)).toEqual([...names].sort());
  },
);
