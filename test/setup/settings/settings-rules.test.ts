import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hookEntries, isOwnCommand } from "../../../src/setup/settings/hook-entries.ts";
import { permissionRules } from "../../../src/setup/settings/permission.ts";
import {
  installedRules,
  installHooks,
  isEdited,
  type SettingsPlace,
  uninstallHooks,
} from "../../../src/setup/settings/settings-file.ts";

const ENTRIES = hookEntries();
const RULES = permissionRules(
  { platform: "linux", program: "/home/ada/.local/share/mementor/bin/mementor" },
  false,
);
let dir = "";
let place: SettingsPlace;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "mementor-rules-"));
  place = {
    file: join(dir, "app/.claude/settings.local.json"),
    backupDir: join(dir, "config/backups"),
    isOwn: (command) => isOwnCommand(command, ["/opt/mementor"], "linux"),
    within: null,
  };
  mkdirSync(join(dir, "app/.claude"), { recursive: true });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const read = () => readFileSync(place.file, "utf8");
const allowed = () => installedRules(place, "allow");
const given = (text: string) => writeFileSync(place.file, text);

test("the rules name the command by its name and its path, for each shell, and the tools that only read", () => {
  expect(RULES).toEqual([
    "Bash(mementor recall:*)",
    "Bash(/home/ada/.local/share/mementor/bin/mementor recall:*)",
  ]);
  expect(permissionRules({ platform: "win32", program: "C:\\Users\\ada\\m.exe" }, true)).toEqual([
    "Bash(mementor recall:*)",
    "Bash(C:/Users/ada/m.exe recall:*)",
    "PowerShell(mementor recall:*)",
    "PowerShell(C:/Users/ada/m.exe recall:*)",
    "mcp__mementor__search",
    "mcp__mementor__show",
    "mcp__mementor__sessions",
    "mcp__mementor__file_history",
    "mcp__mementor__recent",
  ]);
  // Such a path would be read as more than a path.
  for (const program of ["/home/a(b)/mementor", "/home/*/mementor"])
    expect(permissionRules({ platform: "linux", program }, false)).toEqual(["Bash(mementor recall:*)"]);
});

test.each([
  null,
  "{}",
  '{"permissions": {}}',
  '{\n  "permissions": {\n    "allow": []\n  }\n}\n',
  '{\n  "permissions": {\n    "allow": ["Bash(ls:*)"], // mine\n    "deny": ["Read(.env)"]\n  }\n}\n',
  '\ufeff{\r\n\t"permissions": { "ask": [] }\r\n}\r\n',
])("go in beside the hooks, and out to the byte: %j", (before) => {
  if (before !== null) given(before);
  installHooks(place, ENTRIES, RULES);
  expect(allowed().slice(-2)).toEqual(RULES);
  const written = read();
  expect(installHooks(place, ENTRIES, RULES)).toBe("unchanged");
  expect(installHooks(place, ENTRIES)).toBe("unchanged");
  expect(read()).toBe(written);
  uninstallHooks(place);
  expect(existsSync(place.file) ? read() : null).toBe(before);
});

test("one that stood there before stays, also when the file was edited since", () => {
  given('{"permissions": {"allow": ["Bash(mementor recall:*)"]}}');
  installHooks(place, ENTRIES, RULES);
  given(read().replace("{", '{"model": "opus", '));
  uninstallHooks(place);
  expect(read()).toBe('{"model": "opus", "permissions": {"allow": ["Bash(mementor recall:*)"]}}');
});

test("one that the user wrote after hooks were installed without rules stays", () => {
  installHooks(place, ENTRIES, []);
  given(read().replace("{", '{"permissions": {"allow": ["Bash(mementor recall:*)"]}, '));
  installHooks(place, ENTRIES, RULES);
  uninstallHooks(place);
  expect(JSON.parse(read())).toEqual({ permissions: { allow: ["Bash(mementor recall:*)"] } });
});

test("those of the user that came since stay, ours go", () => {
  installHooks(place, ENTRIES, RULES);
  given(read().replace('"Bash(mementor recall:*)"', '"Bash(ls:*)", "Bash(mementor recall:*)"'));
  uninstallHooks(place);
  expect(JSON.parse(read())).toEqual({ permissions: { allow: ["Bash(ls:*)"] } });
});

test("go without the hooks where they are no longer wanted, and are ours without hooks", () => {
  installHooks(place, ENTRIES, RULES);
  installHooks(place, ENTRIES, []);
  expect(allowed()).toEqual([]);
  installHooks(place, [], RULES);
  expect([allowed(), isEdited(place)]).toEqual([RULES, true]);
  uninstallHooks(place);
  expect([existsSync(place.file), isEdited(place)]).toEqual([false, false]);
});

test.each(['{"permissions": []}', '{"permissions": {"allow": "all"}}'])(
  "nothing is written where they have no place: %s",
  (before) => {
    given(before);
    expect(() => installHooks(place, ENTRIES, RULES)).toThrow("cannot be edited");
    expect(read()).toBe(before);
  },
);
