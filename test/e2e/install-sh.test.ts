import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/assets/directory.ts";
import { document, program, tarGz } from "../../src/build/release/archives.ts";
import { archiveName } from "../../src/build/release/formulas.ts";
import { updateRegistry } from "../../src/project/registry.ts";
import { outcomeOf } from "../support/outcome.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";

const ROOT = join(import.meta.dir, "..", "..");
const TEMPLATE = join(ROOT, "src", "build", "release", "install.sh");
const SAMPLE = join(ROOT, "fixtures", "transcripts", "sample");
const isPosix = process.platform !== "win32" && Bun.which("curl") !== null;
const TARGET = process.platform === "linux" ? "linux-x64" : "darwin-arm64";
const runsHere = isPosix && (process.platform === "darwin" || process.arch === "x64");

/** A release whose only archive has what stands for the binary under test, or the binary, served from this machine. */
let server: ReturnType<typeof Bun.serve>;
let files: Map<string, Uint8Array>;
let sandbox: Sandbox;

/** Runs the binary: a program of a few bytes, since packing and unpacking the binary itself takes seconds of work. */
const STAND_IN = Buffer.from(`#!/bin/sh\nexec '${BINARY}' "$@"\n`);

/** The archive of a release. */
function archiveOf(binary: Uint8Array): Uint8Array {
  const folder = (path: string) => `mementor-${TARGET}/${path}`;
  return tarGz(
    [
      program(folder("mementor"), binary),
      document(folder("man/mementor.1"), ".TH MEMENTOR 1\n"),
      document(folder("completions/mementor.bash"), "# bash\n"),
      document(folder("completions/_mementor"), "#compdef mementor\n"),
      document(folder("completions/mementor.fish"), "# fish\n"),
    ],
    new Date(0),
  );
}

/** The same with the binary under test, but not compressed: that alone takes ten seconds of work. */
function archiveOfBinary(): Uint8Array {
  const folder = join(sandbox.root, `mementor-${TARGET}`);
  Bun.spawnSync(["tar", "-xz", "-C", sandbox.root], { stdin: archiveOf(STAND_IN) });
  rmSync(join(folder, "mementor"));
  symlinkSync(BINARY, join(folder, "mementor"));
  const packed = Bun.spawnSync(["tar", "-chf", "-", `mementor-${TARGET}`], { cwd: sandbox.root });
  return Bun.gzipSync(Buffer.from(packed.stdout), { level: 0 });
}

/** Makes an archive the only one of the release. */
function publish(archive: Uint8Array): void {
  const name = archiveName(TARGET);
  files.set(name, archive);
  files.set("SHA256SUMS", Buffer.from(`${sha256(archive)}  ${name}\n`));
}

beforeAll(async () => {
  if (!runsHere) return;
  files = new Map([["install.sh", Buffer.from(await script())]]);
  publish(archiveOf(STAND_IN));
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      const found = files.get(new URL(url).pathname.slice("/release/".length));
      return found ? new Response(Buffer.from(found)) : new Response("", { status: 404 });
    },
  });
  sandbox = await Sandbox.create({ cacheDir: null });
  await Bun.write(join(sandbox.root, "install.sh"), await script());
});
afterAll(async () => {
  await server?.stop(true);
  await sandbox?.[Symbol.asyncDispose]();
});

/** The script as a release without a repository has it. */
async function script(): Promise<string> {
  return (await Bun.file(TEMPLATE).text()).replaceAll("@DOWNLOADS@", "");
}

/** Where the libraries are unpacked for the installs of which they are not what is tested. */
const cache = () => join(sandbox.root, "cache");
const base = () => `http://127.0.0.1:${server.port}/release`;
const installed = () => join(sandbox.home, ".local", "bin", "mementor");

/** Runs the script with nothing of this machine's environment. */
async function install(args: readonly string[] = [], extra: Record<string, string> = {}) {
  const child = Bun.spawn(["/bin/sh", join(sandbox.root, "install.sh"), ...args], {
    cwd: sandbox.project,
    env: { HOME: sandbox.home, PATH: "/usr/bin:/bin", MEMENTOR_BASE_URL: base(), ...extra },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  return outcomeOf(child);
}

/** Runs the installed program. */
async function run(args: readonly string[], program = installed(), extra: Record<string, string> = {}) {
  const env = { ...sandbox.env(extra), PATH: `${join(sandbox.home, ".local", "bin")}:/usr/bin:/bin` };
  const child = Bun.spawn([program, ...args], { cwd: sandbox.project, env, stdout: "pipe", stderr: "pipe" });
  return outcomeOf(child);
}

describe.skipIf(!runsHere)("install.sh", () => {
  test("refuses an archive with a changed byte, and installs nothing", async () => {
    const name = archiveName(TARGET);
    const whole = files.get(name) ?? new Uint8Array();
    const changed = new Uint8Array(whole);
    changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1;
    files.set(name, changed);
    const { exitCode, stderr } = await install();
    files.set(name, whole);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining("checksum") });
    expect(existsSync(join(sandbox.home, ".local"))).toBe(false);
  });

  test("installs the program where nothing else can be written, and says so", async () => {
    const home = join(sandbox.root, "a file instead of a home");
    writeFileSync(home, "");
    const to = join(sandbox.root, "only the program");
    const { exitCode, stdout } = await install(["--to", to], { HOME: home });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/Without manual page and completions.*\nInstalled mementor/),
    });
    const without = await install([], { HOME: "" });
    expect(without).toEqual({ exitCode: 1, stdout: "", stderr: expect.stringContaining("HOME is not set") });
  });

  test.each([
    [{ MEMENTOR_BASE_URL: "/nowhere" }, [], "there is no release in /nowhere"],
    [{ MEMENTOR_BASE_URL: "http://example.org/release" }, [], "is not an https address"],
    [{ MEMENTOR_BASE_URL: "http://localhost:1@evil.example" }, [], "names a user"],
    [{ MEMENTOR_BASE_URL: "https://x.example/r\nfile=/etc/passwd" }, [], "has a line break"],
    [{ MEMENTOR_BASE_URL: "" }, [], "no address to download from"],
    [{}, ["--target", "linux-riscv64"], "this release has no mementor-linux-riscv64.tar.gz"],
    [{}, ["--everywhere"], "there is no option --everywhere"],
  ])("with %p and %p says what is wrong", async (env, args, complaint) => {
    const { exitCode, stderr } = await install(args, env);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(complaint) });
  });

  /** Directory with programs that stand before those of the system. */
  function machine(programs: Record<string, string>): string {
    const directory = join(sandbox.root, "machine");
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory);
    for (const [name, text] of Object.entries(programs))
      writeFileSync(join(directory, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return `${directory}:/usr/bin:/bin`;
  }
  const GLIBC = { getconf: "echo glibc 2.36", ldd: "exit 1" };
  const MUSL = { getconf: "exit 1", ldd: "echo musl libc >&2; exit 1" };
  const uname = (system: string, cpu: string) => ({
    uname: `[ "$1" = -s ] && echo ${system} || echo ${cpu}`,
  });

  test.each([
    [{ ...GLIBC, ...uname("Linux", "aarch64") }, "avx2", "no mementor-linux-arm64.tar.gz"],
    [{ ...MUSL, ...uname("Linux", "aarch64") }, "avx2", "no mementor-linux-arm64-musl.tar.gz"],
    [{ ...MUSL, ...uname("Linux", "x86_64") }, "sse4_2", "no mementor-linux-x64-musl.tar.gz"],
    [{ ...GLIBC, ...uname("Linux", "x86_64") }, "sse4_2", "no mementor-linux-x64-baseline.tar.gz"],
    [{ ...uname("Darwin", "x86_64"), sysctl: "echo 0" }, "", "no mementor-darwin-x64.tar.gz"],
    [{ ...GLIBC, getconf: "echo glibc 2.27", ...uname("Linux", "x86_64") }, "avx2", "glibc 2.28 or newer"],
    [uname("Linux", "riscv64"), "avx2", "not built for riscv64"],
    [uname("FreeBSD", "amd64"), "avx2", "not built for FreeBSD"],
  ])("looks for the archive of the machine: %p, %p", async (programs, flags, complaint) => {
    const cpuinfo = join(sandbox.root, "cpuinfo");
    writeFileSync(cpuinfo, `flags : fpu ${flags}\n`);
    const { exitCode, stderr } = await install([], { PATH: machine(programs), MEMENTOR_CPUINFO: cpuinfo });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(complaint) });
  });

  test("does not install over a directory", async () => {
    const to = join(sandbox.root, "taken");
    mkdirSync(join(to, "mementor"), { recursive: true });
    const { exitCode, stderr } = await install(["--to", to]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining("is a directory") });
  });

  test("installs no program that does not run", async () => {
    publish(archiveOf(Buffer.from("#!/bin/sh\nexit 3\n")));
    const to = join(sandbox.root, "broken");
    const { exitCode, stderr } = await install(["--to", to]);
    publish(archiveOf(STAND_IN));
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining("does not run on this system"),
    });
    expect(readdirSync(to)).toEqual([]);
  });

  test("writes through no link, and into no directory that one leads to", async () => {
    const home = join(sandbox.root, "home with links");
    const to = join(sandbox.root, "linked");
    const [kept, elsewhere] = [join(sandbox.root, "kept"), join(sandbox.root, "elsewhere")];
    for (const directory of [
      join(home, ".local/share/man/man1"),
      join(home, ".config/fish/completions"),
      to,
      elsewhere,
    ])
      mkdirSync(directory, { recursive: true });
    writeFileSync(kept, "kept");
    symlinkSync(kept, join(home, ".local/share/man/man1/mementor.1"));
    symlinkSync(elsewhere, join(home, ".config/fish/completions/mementor.fish"));
    symlinkSync(kept, join(to, "mementor"));
    const { exitCode } = await install(["--to", to], { HOME: home, XDG_CACHE_HOME: cache() });
    expect(exitCode).toBe(0);
    expect([readFileSync(kept, "utf8"), readdirSync(elsewhere)]).toEqual(["kept", []]);
    expect(lstatSync(join(to, "mementor")).isSymbolicLink()).toBe(false);
    expect(readFileSync(join(home, ".local/share/mementor/installed"), "utf8")).not.toContain(
      "mementor.fish",
    );
  });

  test("refuses the build that needs AVX2 on a processor without", async () => {
    const cpuinfo = join(sandbox.root, "cpuinfo");
    writeFileSync(cpuinfo, "flags : fpu sse4_2\n");
    const { exitCode, stderr } = await install(["--target", "linux-x64"], { MEMENTOR_CPUINFO: cpuinfo });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining("no AVX2") });
  });

  describe("a release with the binary", () => {
    beforeAll(() => publish(archiveOfBinary()), 60_000);

    test("installs from the directory that it lies in, checks its sums, and upgrades from there", async () => {
      const release = join(sandbox.root, "a release");
      mkdirSync(release);
      for (const [name, bytes] of files) writeFileSync(join(release, name), bytes);
      const to = join(sandbox.root, "programs");
      const run = (home: string) =>
        Bun.spawnSync(["/bin/sh", "install.sh", "--to", to], {
          cwd: release,
          env: { HOME: home, PATH: "/usr/bin:/bin", XDG_CACHE_HOME: cache() },
        });
      const home = join(sandbox.root, "another home");
      mkdirSync(home);
      const { exitCode, stderr, stdout } = run(home);
      expect({ exitCode, stderr: stderr.toString() }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout.toString()).toStartWith(`Reading ${archiveName(TARGET)} in ${release}\n`);
      // What HOME names counts as a home directory once a project was enabled there.
      updateRegistry(join(home, ".config/mementor"), (registry) => registry);
      const env = { ...sandbox.env(), HOME: home, PATH: "/usr/bin:/bin" };
      const upgrade = Bun.spawnSync([join(to, "mementor"), "upgrade", "--json"], {
        cwd: sandbox.project,
        env,
      });
      expect(JSON.parse(upgrade.stdout.toString()).upgrade).toBe(`sh '${release}/install.sh' --to ${to}`);
      writeFileSync(join(release, archiveName(TARGET)), "something else");
      const refused = run(home);
      expect({ exitCode: refused.exitCode, stderr: refused.stderr.toString() }).toEqual({
        exitCode: 1,
        stderr: expect.stringContaining("checksum"),
      });
    });

    test("installs, leads to a recall, upgrades, and leaves what was there before", async () => {
      const settings = join(sandbox.project, ".claude", "settings.json");
      mkdirSync(join(sandbox.project, ".claude"));
      writeFileSync(settings, '{"model":"opus"}');
      const { exitCode, stdout, stderr } = await install();
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout).toContain(`as ${installed()}\n`);
      expect(stdout).toContain("Add it to your PATH");
      expect(existsSync(join(sandbox.home, ".cache", "mementor"))).toBe(true);
      expect(existsSync(join(sandbox.home, ".local", "share", "man", "man1", "mementor.1"))).toBe(true);

      expect((await run(["enable", "--no-history", "--scope", "project"])).exitCode).toBe(0);
      expect((await run(["ingest", SAMPLE, "--text-only"])).exitCode).toBe(0);
      expect((await run(["search", "why did we choose sqlite", "-k", "1"])).stdout).toContain("FTS5");

      const hooks = readFileSync(settings, "utf8");
      const upgrade = JSON.parse((await run(["upgrade", "--json"])).stdout);
      expect(upgrade).toMatchObject({ method: "installer", program: installed() });
      expect(upgrade.upgrade).toBe(
        `curl -fsSL ${base()}/install.sh | MEMENTOR_BASE_URL=${base()} sh -s -- --to ${join(sandbox.home, ".local", "bin")}`,
      );
      const before = statSync(installed()).ino;
      const upgraded = await run(["upgrade", "--run"]);
      expect({ exitCode: upgraded.exitCode, stderr: upgraded.stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(statSync(installed()).ino).not.toBe(before);
      expect(readFileSync(settings, "utf8")).toBe(hooks);

      const removed = await run(["uninstall", "--purge", "--yes"]);
      expect({ exitCode: removed.exitCode, stderr: removed.stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(readFileSync(settings, "utf8")).toBe('{"model":"opus"}');
      const left = [...new Bun.Glob("**/*").scanSync({ cwd: sandbox.home, dot: true })];
      expect(left).toEqual([]);
    });
  });
});
