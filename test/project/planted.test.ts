import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { dropUntrustedVariables } from "../../src/project/planted.ts";
import { hostIn } from "../support/host.ts";

const SRC = join(import.meta.dir, "../../src");

const dir = realpathSync(mkdtempSync(join(tmpdir(), "mementor-planted-")));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const outer = join(dir, "outer");
const inner = join(outer, "inner");
for (const top of [outer, inner]) {
  for (const part of ["objects", "refs"]) mkdirSync(join(top, ".git", part), { recursive: true });
  writeFileSync(join(top, ".git/HEAD"), "ref: refs/heads/main\n");
}

/** Variables that the program reads, and that name neither a place nor a program. */
const NAME_NO_PLACE = [
  ...[
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TERM",
    "NO_COLOR",
    "NO_PAGER",
    "OS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "WSL_DISTRO_NAME",
  ],
  // A number of a process, which is looked at; a password; servers, which are named before they are asked.
  ...["CLAUDE_PID", "PGPASSWORD", "MEMENTOR_TEAM_URL", "HF_ENDPOINT", "MEMENTOR_BASE_URL"],
  // The directory of a shell that was deleted.
  "PWD",
];

test("every variable that the program reads is judged, or names no place", () => {
  const sources = [...new Bun.Glob("**/*.ts").scanSync({ cwd: SRC, absolute: true })].map((file) =>
    readFileSync(file, "utf8"),
  );
  const read = new Set(
    sources.flatMap((text) => [...text.matchAll(/\benv\.(\w+)/g)].map(([, name = ""]) => name)),
  );
  const judged = readFileSync(join(SRC, "project/planted.ts"), "utf8");
  const isJudged = (name: string) => judged.includes(`"${name}"`);
  const names = [...read].filter((name) => /[A-Z]/.test(name) && name !== "logLevel");
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !isJudged(name) && !NAME_NO_PLACE.includes(name))).toEqual([]);
  expect(NAME_NO_PLACE.filter((name) => !read.has(name) || isJudged(name))).toEqual([]);
});

test("a repository around that of the directory plants nothing, either", async () => {
  const elsewhere = join(dir, "elsewhere");
  const bin = join(outer, "bin");
  const env = {
    HOME: homedir(),
    XDG_CACHE_HOME: elsewhere,
    XDG_CONFIG_HOME: join(outer, ".x"),
    XDG_DATA_HOME: elsewhere,
    PATH: bin,
  };
  const { host } = hostIn({ argv: [], cwd: inner, homeDir: homedir(), now: new Date(0), env });
  await dropUntrustedVariables(host, inner);
  expect(host.refused).toEqual(["XDG_CONFIG_HOME"]);
  const { LANG: _, ...left } = host.env;
  expect(left).toEqual({ HOME: homedir(), XDG_CACHE_HOME: elsewhere, XDG_DATA_HOME: elsewhere, PATH: bin });
});

test("what an archive may have brought beside the project says nothing of what is installed", async () => {
  const volta = join(homedir(), ".volta");
  const env = { HOME: homedir(), npm_config_prefix: join(dir, "prefix"), N_PREFIX: dir, VOLTA_HOME: volta };
  const { host } = hostIn({ argv: [], cwd: inner, homeDir: homedir(), now: new Date(0), env });
  await dropUntrustedVariables(host, inner);
  expect(host.refused).toEqual(["npm_config_prefix", "N_PREFIX"]);
  expect(host.env.VOLTA_HOME).toBe(volta);
});

test.each(["npm_config_cafile", "NPM_CONFIG_CAFILE"])(
  "%s is a file of certificates as any other",
  async (name) => {
    const refusedAt = async (file: string) => {
      const env = { HOME: homedir(), [name]: file, SSL_CERT_FILE: file };
      const { host } = hostIn({ argv: [], cwd: inner, homeDir: homedir(), now: new Date(0), env });
      await dropUntrustedVariables(host, inner);
      return host.refused ?? [];
    };
    expect((await refusedAt(join(inner, "ca.pem"))).toSorted()).toEqual(["SSL_CERT_FILE", name].toSorted());
    expect(await refusedAt(join(dir, "ca.pem"))).toEqual([]);
  },
);
