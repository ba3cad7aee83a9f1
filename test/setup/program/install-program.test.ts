import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installedProgram, installProgram } from "../../../src/setup/program/install-program.ts";
import { tempDir } from "../../store/builders.ts";

test("a program from its sources gets a script that starts it; on Windows, where that cannot be, the user is told", () => {
  using dir = tempDir();
  const self = ["/opt/it's bun", "/src/main.ts"];
  expect(() => installProgram({ homeDir: dir.path, self, platform: "win32" })).toThrow("compiled program");
  expect(existsSync(join(dir.path, ".local"))).toBe(false);
  const linux = { homeDir: dir.path, self, platform: "linux" } as const;
  expect([installProgram(linux), installProgram(linux)]).toEqual(["installed", "unchanged"]);
  expect(readFileSync(installedProgram(linux), "utf8")).toBe(
    `#!/bin/sh\nexec '/opt/it'\\''s bun' /src/main.ts "$@"\n`,
  );
});

test("a compiled program on Windows is found under its name there, in any directory", () => {
  using dir = tempDir();
  const homeDir = join(dir.path, "R&D 100% ^ !");
  mkdirSync(homeDir);
  const program = join(dir.path, "mementor.exe");
  writeFileSync(program, "program", { mode: 0o755 });
  const windows = { homeDir, self: [program], platform: "win32" } as const;
  expect(installProgram(windows)).toBe("installed");
  expect(installedProgram(windows)).toBe(join(homeDir, ".local/share/mementor/bin/mementor.exe"));
  expect(readFileSync(installedProgram(windows), "utf8")).toBe("program");
  expect(installProgram(windows)).toBe("unchanged");
});
