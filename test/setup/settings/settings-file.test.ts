import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hookEntries, isOwnCommand } from "../../../src/setup/settings/hook-entries.ts";
import {
  installedHooks,
  installHooks,
  type SettingsPlace,
  uninstallHooks,
} from "../../../src/setup/settings/settings-file.ts";

const SELF = ["/opt/mementor"];
const ENTRIES = hookEntries();
let dir = "";
let place: SettingsPlace;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "mementor-settings-"));
  place = {
    file: join(dir, "app/.claude/settings.json"),
    backupDir: join(dir, "config/backups"),
    isOwn: (command) => isOwnCommand(command, SELF, "linux"),
    within: null,
  };
  mkdirSync(join(dir, "app"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const read = () => readFileSync(place.file, "utf8");
function given(content: string): void {
  mkdirSync(join(dir, "app/.claude"));
  writeFileSync(place.file, content);
}

describe("installHooks, then uninstallHooks", () => {
  test.each([
    '{"a": 1}',
    "{}",
    "{ }\n",
    "{\n}\n",
    "",
    " \n",
    '\ufeff{\r\n\t// ü\r\n\t"a": 1\r\n}\r\n',
    '{\n  "hooks": {}\n}\n',
    '{\n  "hooks": { "Stop": [ ], "Other": [] }\n}\n',
    "{ /* c */ }\n",
  ])("restores %j", (before) => {
    given(before);
    expect(installHooks(place, ENTRIES)).toBe("changed");
    expect(installedHooks(place).length).toBe(ENTRIES.length);
    const once = read();
    expect([installHooks(place, ENTRIES), read()]).toEqual(["unchanged", once]);
    expect([uninstallHooks(place), read()]).toEqual(["changed", before]);
    expect([uninstallHooks(place), read()]).toEqual(["unchanged", before]);
  });

  test("lets a file vanish that was made for them, with its directory", () => {
    expect([installHooks(place, ENTRIES), installedHooks(place).length]).toEqual(["created", 8]);
    expect(read().endsWith("}\n")).toBe(true);
    expect([uninstallHooks(place), readdirSync(join(dir, "app"))]).toEqual(["removed", []]);
  });

  test("lets a file vanish to which only more of ours came, but no directory that was there", () => {
    mkdirSync(join(dir, "app/.claude"));
    installHooks(place, ENTRIES.slice(0, 2));
    installHooks(place, ENTRIES);
    expect([uninstallHooks(place), readdirSync(join(dir, "app/.claude"))]).toEqual(["removed", []]);
  });

  test("keeps what the user wrote in between", () => {
    given('{\n  "hooks": {\n    "Stop": []\n  }\n}\n');
    installHooks(place, ENTRIES);
    writeFileSync(place.file, read().replace("{", '{\n  "model": "x",'));
    uninstallHooks(place);
    expect(read()).toBe('{\n  "model": "x",\n  "hooks": {\n    "Stop": []\n  }\n}\n');
  });

  test("takes out exactly our entries where nothing is known of before", () => {
    given('{\n  "a": 1\n}\n');
    installHooks(place, ENTRIES);
    rmSync(place.backupDir, { recursive: true });
    expect([uninstallHooks(place), read()]).toEqual(["changed", '{\n  "a": 1\n}\n']);
  });

  test("keeps mode, symbolic link and a backup that only the user can read", () => {
    given('{"a": 1}');
    chmodSync(place.file, 0o640);
    const link = { ...place, file: join(dir, "app/.claude/settings.local.json") };
    symlinkSync("settings.json", link.file);
    installHooks(link, ENTRIES);
    expect([lstatSync(link.file).isSymbolicLink(), statSync(place.file).mode & 0o777]).toEqual([true, 0o640]);
    const [home = ""] = readdirSync(place.backupDir);
    const backup = join(place.backupDir, home, "settings.local.json");
    expect([readFileSync(backup, "utf8"), statSync(backup).mode & 0o777]).toEqual(['{"a": 1}', 0o600]);
    uninstallHooks(link);
    expect([lstatSync(link.file).isSymbolicLink(), read()]).toEqual([true, '{"a": 1}']);
  });

  test.each(['{"a": 1', '{"hooks": []}'])("leaves %j alone", (broken) => {
    given(broken);
    for (const work of [() => installHooks(place, ENTRIES), () => uninstallHooks(place)])
      expect(work).toThrow(place.file);
    expect([read(), existsSync(place.backupDir)]).toEqual([broken, false]);
  });

  test("leaves a file alone that is not UTF-8", () => {
    given("");
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    writeFileSync(place.file, bytes);
    expect(() => installHooks(place, ENTRIES)).toThrow("it is not UTF-8");
    expect(readFileSync(place.file)).toEqual(bytes);
  });
});
