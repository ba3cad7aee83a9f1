import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { updateRegistry } from "../../../src/project/registry.ts";
import { findInstallation } from "../../../src/setup/program/installation.ts";

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "mementor-installation-")));
  // As `enable` leaves it, the home directory is this user's.
  updateRegistry(join(home, ".config/mementor"), (registry) => registry);
});
afterEach(() => rmSync(home, { recursive: true }));

function put(path: string, text = ""): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const find = (program: string, onPath: string | null = null) =>
  findInstallation({ self: [program], homeDir: home, platform: "linux", onPath });

test.each([
  [
    "lib/node_modules/mementor/node_modules/@mementor/linux-x64/bin/mementor",
    "npm",
    "npm install -g mementor@latest",
  ],
  [
    ".local/share/pnpm/global/5/.pnpm/x/node_modules/@mementor/linux-x64/bin/mementor",
    "pnpm",
    "pnpm add -g mementor@latest",
  ],
  [".bun/install/global/node_modules/@mementor/linux-x64/bin/mementor", "bun", "bun add -g mementor@latest"],
  [
    ".config/yarn/global/node_modules/@mementor/linux-x64/bin/mementor",
    "yarn",
    "yarn global add mementor@latest",
  ],
  [".npm/_npx/0123/node_modules/@mementor/linux-x64/bin/mementor", "npx", null],
  ["homebrew/Cellar/mementor/1.0.0/bin/mementor", "homebrew", "brew upgrade mementor"],
  ["scoop/apps/mementor/current/mementor.exe", "scoop", "scoop update mementor"],
  [
    "AppData/Local/Microsoft/WinGet/Packages/acme.mementor_Microsoft.Winget.Source_8wek/mementor-windows-x64/mementor.exe",
    "winget",
    "winget upgrade --id acme.mementor",
  ],
  ["bin/mementor", "file", null],
] as const)("%s was installed by %s", (path, method, upgrade) => {
  const program = put(path);
  expect(find(program)).toMatchObject({ method, program, upgrade, files: [] });
});

test("the npm package is called as its manifest says", () => {
  const program = put("lib/node_modules/@me/linux-x64/bin/mementor");
  put("lib/node_modules/@me/linux-x64/package.json", '{"mementor":{"launcher":"@me/mem"}}');
  expect(find(program).uninstall).toBe("npm uninstall -g @me/mem");
});

test("the installer's note names the program, where it came from and what else it put there", () => {
  const program = put("my tools/mementor");
  const note = put(
    ".local/share/mementor/installed",
    `program=${program}\nfrom=https://example.org/x\nfile=${home}/man/man1/mementor.1\nfile=${home}/.ssh/id_ed25519\nfile=${home}/completions/../../mementor.1\nfile=${home}/bash-completion/completions/mementor\n`,
  );
  expect(find(program)).toEqual({
    method: "installer",
    program,
    upgrade:
      "curl -fsSL https://example.org/x/install.sh | MEMENTOR_BASE_URL=https://example.org/x " +
      `sh -s -- --to '${home}/my tools'`,
    uninstall: null,
    // What no installer puts there, a note cannot have removed.
    files: [`${home}/man/man1/mementor.1`, `${home}/bash-completion/completions/mementor`, note],
  });
  expect(find(put("another/mementor")).method).toBe("file");
});

test.each([
  ["no registry of projects", () => rmSync(join(home, ".config"), { recursive: true })],
  [
    "a registry that was made elsewhere",
    () => {
      cpSync(join(home, ".config"), join(home, "copy"), { recursive: true });
      rmSync(join(home, ".config"), { recursive: true });
      cpSync(join(home, "copy"), join(home, ".config"), { recursive: true });
    },
  ],
])("the note in a directory with %s, which HOME names, says nothing", (_what, bring) => {
  const program = put("bin/mementor");
  put(".local/share/mementor/installed", `program=${program}\nfrom=/tmp/evil\n`);
  expect(find(program).upgrade).toBe("sh /tmp/evil/install.sh --to " + join(home, "bin"));
  bring();
  expect(find(program)).toMatchObject({ method: "file", upgrade: null, files: [] });
});

test("on Windows the installer runs again in PowerShell, whatever the directory is called", () => {
  const program = put("bin/mementor.exe");
  put(".local/share/mementor/installed", `program=${program}\nfrom=https://example.org/it's\n`);
  const facts = { self: [program], homeDir: home, platform: "win32", onPath: null } as const;
  expect(findInstallation(facts).upgrade).toBe(
    "$env:MEMENTOR_BASE_URL = 'https://example.org/it''s'; " +
      `& ([scriptblock]::Create((irm 'https://example.org/it''s/install.ps1'))) -To '${home}/bin'`,
  );
});

test("started by the link that hooks start, it is the program that the link stands for", () => {
  const program = put("bin/mementor");
  const hooks = put(".local/share/mementor/bin/mementor");
  const link = join(home, "link");
  symlinkSync(program, link);
  expect(find(hooks, link).program).toBe(program);
  put(".local/share/mementor/installed", `program=${program}\nfrom=https://example.org\n`);
  expect(find(hooks)).toMatchObject({ method: "installer", program });
});

test("run from its sources there is nothing to upgrade", () => {
  const facts = {
    self: ["/usr/bin/bun", "/src/main.ts"],
    homeDir: home,
    platform: "linux",
    onPath: null,
  } as const;
  expect(findInstallation(facts)).toMatchObject({ method: "source", upgrade: null });
});
