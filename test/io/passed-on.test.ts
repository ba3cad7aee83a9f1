import { expect, test } from "bun:test";
import { join } from "node:path";
import { childEnvironment } from "../../src/io/passed-on.ts";

const SRC = join(import.meta.dir, "../../src");

test("what makes a program run something else does not pass, nor does a package manager's registry", () => {
  const planted = {
    NODE_OPTIONS: "--require ./x.js",
    LD_PRELOAD: "./x.so",
    PYTHONSTARTUP: "x.py",
    BASH_ENV: "x.sh",
    ENV: "x.sh",
    npm_config_registry: "http://x",
    NPM_CONFIG_USERCONFIG: "/x",
    HOMEBREW_API_DOMAIN: "http://x",
    HOMEBREW_CURLRC: "/x",
    GIT_SSH_COMMAND: "x",
    LC_x: "x",
  };
  const usual = { PATH: "/usr/bin", HOME: "/home/ada", LANG: "C.UTF-8", LC_ALL: "C", TERM: "xterm" };
  const network = {
    https_proxy: "http://proxy",
    SSL_CERT_FILE: "/ca.pem",
    npm_config_cafile: "/ca.pem",
    NPM_CONFIG_PREFIX: "/home/ada/.npm",
    npm_config_https_proxy: "http://proxy",
    HOMEBREW_CACHE: "/data/brew",
  };
  expect(childEnvironment({ ...planted, ...usual, ...network })).toEqual(usual);
  expect(childEnvironment({ ...planted, ...usual, ...network }, { network: true })).toEqual({
    ...usual,
    ...network,
  });
});

/** What starts a program otherwise, and why it may. */
const OTHERS: Record<string, string> = {
  "cli/commands/team/administer.ts": "stty",
  "cli/commands/uninstall/remove.ts": "the system's cmd.exe",
  "cli/terminal/ask.ts": "a program that a person asks for, on the terminal",
  "cli/terminal/pager.ts": "the person's pager",
  "io/ancestors.ts": "ps",
  "io/git/run.ts": "git, with less",
  "io/machine.ts": "ionice, taskpolicy and pmset",
  "io/system.ts": "the desktop",
  "project/queue.ts": "this program",
};

test("every program that is started unasked gets what passes", async () => {
  const starts: string[] = [];
  for await (const path of new Bun.Glob("**/*.ts").scan(SRC)) {
    const text = await Bun.file(join(SRC, path)).text();
    if (/Bun\.spawn(?:Sync)?\(/.test(text) && !text.includes("childEnvironment("))
      starts.push(path.replaceAll("\\", "/"));
  }
  expect(starts.filter((path) => !path.startsWith("build/")).sort()).toEqual(Object.keys(OTHERS));
});
