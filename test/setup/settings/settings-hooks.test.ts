import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { MementorError } from "../../../src/errors.ts";
import { type HookEntry, hookEntries, isOwnCommand } from "../../../src/setup/settings/hook-entries.ts";
import { addHooks, findHooks, removeHooks } from "../../../src/setup/settings/settings-hooks.ts";
import { fcOptions } from "../../support/fast-check.ts";

const SELF = ["/opt/my tools/mementor"];
const isOwn = (command: string) => isOwnCommand(command, SELF, "linux");
/** How versions before 0.2 wrote the command of a hook into settings. */
const EARLIER_COMMANDS: ((word: string) => string)[] = [
  (word) => `command -v mementor >/dev/null 2>&1 && mementor hook ${word} || true`,
  (word) => `/usr/bin/mementor hook ${word}`,
  (word) => `'/my tools/it'\\''s/mementor' hook ${word}`,
  (word) => `'C:/Program Files/mementor.exe' hook ${word}`,
  (word) => `/elsewhere/mementor-linux-x64 hook ${word}`,
];
const ENTRIES = hookEntries();
const EXEC = hookEntries({ takesLater: true, program: "/home/my user/.local/share/mementor/bin/mementor" });
const STOP: HookEntry[] = [
  { event: "Stop", matcher: null, command: "mementor hook stop", timeoutSeconds: 5 },
];
const add = (text: string, entries = ENTRIES) => addHooks(text, entries, isOwn, "f.json");
const remove = (text: string) => removeHooks(text, isOwn, "f.json");
const value = (text: string): unknown => parse(text, [], { allowTrailingComma: true });

describe("addHooks", () => {
  test.each([
    ["an empty object", "{}\n", '{\n  "hooks": {\n    "Stop": [\n      {G}\n    ]\n  }\n}\n'],
    [
      "four spaces",
      '{\n    "a": 1\n}',
      '{\n    "a": 1,\n    "hooks": {\n        "Stop": [\n            {G}\n        ]\n    }\n}',
    ],
    [
      "tabs and CRLF",
      '{\r\n\t"a": 1\r\n}',
      '{\r\n\t"a": 1,\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{G}\r\n\t\t]\r\n\t}\r\n}',
    ],
    ["one line", '{"a":1,"b":[]}', '{"a":1,"b":[],"hooks":{"Stop":[{G}]}}'],
    [
      "a comment",
      '{\n  "a": 1 // why\n  // end\n}',
      '{\n  "a": 1, // why\n  // end\n  "hooks": {\n    "Stop": [\n      {G}\n    ]\n  }\n}',
    ],
    [
      "a trailing comma",
      '{\n  "a": 1,\n}',
      '{\n  "a": 1,\n  "hooks": {\n    "Stop": [\n      {G}\n    ]\n  },\n}',
    ],
    [
      "another's hook",
      '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [] }\n    ]\n  }\n}',
      '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [] },\n      {G}\n    ]\n  }\n}',
    ],
    [
      "an inline list",
      '{\n  "hooks": {\n    "Stop": [{ "hooks": [] }]\n  }\n}',
      '{\n  "hooks": {\n    "Stop": [{ "hooks": [] }, {G}]\n  }\n}',
    ],
  ])("writes in the style of %s", (_name, before, after) => {
    const group = { hooks: [{ type: "command", command: "mementor hook stop", timeout: 5 }] };
    const added = add(before, STOP);
    const [head = "", tail = ""] = after.split("{G}");
    expect(added.startsWith(head) && added.endsWith(tail)).toBe(true);
    expect(value(added.slice(head.length, added.length - tail.length))).toEqual(group);
    if (!/^\{\}/.test(before)) expect(remove(added)).toBe(before);
  });

  test("updates older entries in place", () => {
    const other = { hooks: [{ type: "command", command: "lint" }] };
    const old = (command: string) => ({ hooks: [{ type: "command", command }] });
    const before = {
      hooks: {
        Stop: [old("'/old place/mementor' hook stop"), other, old("mementor hook stop")],
        Notification: [old("C:/x/mementor.exe hook notification")],
        PreCompact: [
          { hooks: [{ type: "command", command: "mementor hook pre-compact", timeout: 9 }, other.hooks[0]] },
        ],
      },
      a: 1,
    };
    const wanted = ENTRIES.filter(({ event }) => event === "Stop" || event === "PreCompact");
    const [stop, compact] = wanted.map(({ command }) => command);
    expect(value(add(JSON.stringify(before, null, 2), wanted))).toEqual({
      hooks: {
        Stop: [{ hooks: [{ type: "command", command: stop, timeout: 5 }] }, other],
        PreCompact: [{ hooks: [{ type: "command", command: compact, timeout: 9 }, other.hooks[0]] }],
      },
      a: 1,
    });
  });

  test("leaves a timeout that the user changed", () => {
    const own = add("{}\n", STOP).replace('"timeout": 5', '"timeout": 60');
    expect(add(own, STOP)).toBe(own);
  });

  test.each([
    ['{\n  "a": 1\n  "b": 2\n}', 'f.json cannot be edited: a "," is missing in line 3, column 3.'],
    ["[1]", "f.json cannot be edited: it is not a JSON object."],
    ['{"hooks": null}', 'f.json cannot be edited: "hooks" is not an object.'],
    ['{"hooks": {"Stop": {}}}', 'f.json cannot be edited: "hooks.Stop" is not a list.'],
  ])("refuses %j", (text, message) => {
    expect(() => add(text)).toThrow(new MementorError("settings_invalid", message));
    expect(() => remove(text)).toThrow(message);
  });
});

describe("any settings", () => {
  const command = fc.constantFrom(
    "lint",
    "echo mementor",
    "./hook stop",
    "other hook stop",
    'say "mementor"',
  );
  const hook = fc.record({ type: fc.constant("command"), command }, { requiredKeys: ["type"] });
  const group = fc.record(
    { matcher: fc.string(), hooks: fc.array(hook, { maxLength: 2 }) },
    { requiredKeys: ["hooks"] },
  );
  const groups = fc.array(group, { minLength: 1, maxLength: 2 });
  const hooks = fc.dictionary(fc.constantFrom("Stop", "PreToolUse", "Other"), groups, { minKeys: 1 });
  const settings = fc
    .tuple(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 3 }),
      fc.option(hooks),
    )
    .map(([rest, own]) => ({ ...rest, hooks: own }))
    .map((all) =>
      Object.fromEntries(Object.entries(all).filter(([key, item]) => key !== "hooks" || item !== null)),
    );
  const style = fc.record({
    indent: fc.constantFrom(0, 2, 4, "\t"),
    eol: fc.constantFrom("\n", "\r\n"),
    end: fc.constantFrom("", "\n", "\n\n", "  "),
    comments: fc.boolean(),
    trailing: fc.boolean(),
  });
  const text = fc.tuple(settings, style).map(([content, { indent, eol, end, comments, trailing }]) => {
    const lines = JSON.stringify(content, null, indent)
      .split("\n")
      .map((line, index, { length }) => {
        const isLast = trailing && length > 1 && index === length - 2;
        const comma = isLast && !line.endsWith(",") ? "," : "";
        return `${line}${comma}${comments && length > 1 && index % 2 === 0 ? " // { note,  " : ""}`;
      });
    return lines.join(eol) + end;
  });

  test("come back byte for byte after add and remove", () => {
    fc.assert(
      fc.property(text, (before) => {
        const added = add(before);
        expect(remove(added)).toBe(before);
        expect(add(added)).toBe(added);
        expect(findHooks(added, isOwn, "f")).toEqual(
          ENTRIES.map(({ event, command }) => ({ event, command, isExec: false })).sort(byPlace(added)),
        );
      }),
      // A case edits some dozen texts, and parses them more often.
      fcOptions(1 / 5),
    );
  });

  test("come back byte for byte from the exec form, also where lines for a shell were there before", () => {
    fc.assert(
      fc.property(text, (before) => {
        const added = add(before, EXEC);
        expect(remove(added)).toBe(before);
        expect(add(added, EXEC)).toBe(added);
        expect(findHooks(added, isOwn, "f").map(({ isExec }) => isExec)).toEqual(EXEC.map(() => true));
        const fromLines = add(add(before), EXEC);
        expect(findHooks(fromLines, isOwn, "f").length).toBe(EXEC.length);
        expect(remove(fromLines)).toBe(before);
        expect(add(added)).toBe(add(before));
      }),
      fcOptions(1 / 5),
    );
  });

  test("keep the value of all that is not ours, entries of another version and place included", () => {
    fc.assert(
      fc.property(text, fc.constantFrom(...EARLIER_COMMANDS), (before, earlier) => {
        const old = ENTRIES.map((entry) => ({ ...entry, command: earlier("stop") }));
        const upgraded = add(add(before, old));
        expect(upgraded).toBe(add(before));
        expect(value(remove(upgraded))).toEqual(value(before));
      }),
      fcOptions(1 / 5),
    );
  });

  test("lose only mementor's entries after another tool rewrote the file and added its own", () => {
    const theirs = { hooks: [{ type: "command", command: "theirs" }] };
    fc.assert(
      fc.property(text, (before) => {
        const added = value(add(before)) as { hooks: Record<string, unknown[]> };
        added.hooks.Stop?.push(theirs);
        const left = value(remove(JSON.stringify(added, null, 3)));
        const expected = value(before) as { hooks?: Record<string, unknown[]> };
        const stop = [...(expected.hooks?.Stop ?? []), theirs];
        expect(left).toEqual({ ...expected, hooks: { ...expected.hooks, Stop: stop } });
      }),
      fcOptions(1 / 5),
    );
  });

  function byPlace(added: string) {
    const order = Object.keys((value(added) as { hooks: object }).hooks);
    return (a: { event: string }, b: { event: string }) => order.indexOf(a.event) - order.indexOf(b.event);
  }
});

describe("isOwnCommand", () => {
  test.each(EARLIER_COMMANDS.map((command) => command("session-end")))(
    "knows %s of an earlier version",
    (command) => {
      expect(isOwnCommand(command, ["/other"], "linux")).toBe(true);
    },
  );

  test("recognises the current command, and a command that runs from the sources", () => {
    expect(ENTRIES.every(({ command }) => isOwn(command))).toBe(true);
    const command = "/usr/bin/bun /src/main.ts hook stop";
    expect([
      isOwnCommand(command, ["/usr/bin/bun", "/src/main.ts"], "linux"),
      isOwnCommand(command, SELF, "linux"),
    ]).toEqual([true, false]);
  });

  test.each([
    "mementor",
    "not-mementor hook stop",
    "mementor-hook stop",
    "echo mementor; hook stop",
    "mementor ingest hook",
  ])("does not take %j for its own", (command) => expect(isOwn(command)).toBe(false));

  test("is silent and succeeds for a teammate without the binary", () => {
    for (const { command } of ENTRIES) {
      const run = Bun.spawnSync(["/bin/sh", "-c", command], { env: { PATH: "/nonexistent" } });
      expect([run.exitCode, run.stdout.toString(), run.stderr.toString()]).toEqual([0, "", ""]);
    }
  });
});

describe("hooks for PowerShell", () => {
  const POWERSHELL = hookEntries({ shell: "powershell" });
  const theirs = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}';

  test("name their shell, stay as they are, and go without a trace", () => {
    const written = add(theirs, POWERSHELL);
    const [, { hooks }] = parse(written).hooks.Stop;
    expect(hooks).toEqual([
      {
        type: "command",
        command: POWERSHELL.find(({ event }) => event === "Stop")?.command,
        timeout: 5,
        shell: "powershell",
      },
    ]);
    expect(add(written, POWERSHELL)).toBe(written);
    expect(remove(written)).toBe(theirs);
  });

  test("replace those for sh, and are replaced by them, also in a list with other hooks", () => {
    const [stop] = ENTRIES.filter(({ event }) => event === "Stop");
    const own = { type: "command", command: stop?.command, timeout: 9 };
    const shared = JSON.stringify({
      hooks: { Stop: [{ hooks: [{ type: "command", command: "say" }, own] }] },
    });
    const hooksOf = (text: string) => parse(text).hooks.Stop[0].hooks;
    const windows = add(shared, POWERSHELL);
    expect(hooksOf(windows)[1].shell).toBe("powershell");
    expect(hooksOf(add(windows))).toEqual([
      { type: "command", command: "say" },
      { ...own, timeout: 5 },
    ]);
    expect(add(add(theirs, POWERSHELL))).toBe(add(theirs));
  });
});

describe("hooks in the exec form", () => {
  const PROGRAM = "C:\\Users\\my user\\.local\\share\\mementor\\bin\\mementor.exe";
  const windows = hookEntries({ shell: "powershell", takesLater: true, program: PROGRAM });
  const exec = {
    type: "command",
    command: PROGRAM,
    args: ["hook", "stop", "--no-shell"],
    timeout: 5,
  };
  const stopIn = (text: string) => parse(text).hooks.Stop[0].hooks;

  test("name the program by its path, and no shell, on Windows too", () => {
    const written = add("{}", windows);
    expect(stopIn(written)).toEqual([exec]);
    expect(Object.keys(parse(written).hooks)).toContain("UserPromptExpansion");
    expect(written).not.toMatch(/"shell"|powershell|bash/);
  });

  test("are written only for a client that takes them", () => {
    expect(hookEntries({ program: PROGRAM })).toEqual(hookEntries());
  });

  test("change their form in a list with other hooks, and never stand beside a line", () => {
    const say = { type: "command", command: "say" };
    const [line] = ENTRIES.filter(({ event }) => event === "Stop");
    const shared = JSON.stringify({
      hooks: { Stop: [{ hooks: [say, { type: "command", command: line?.command, timeout: 5 }] }] },
    });
    expect(stopIn(add(shared, windows))).toEqual([say, exec]);
    expect(stopIn(add(add(shared, windows)))).toEqual(stopIn(shared));
  });
});

describe("settings that somebody made to hold the program up", () => {
  test("are refused where they are nested too deep", () => {
    const deep = `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    expect(() => add(deep)).toThrow("f.json cannot be edited: it is nested deeper than 200 levels.");
    expect(value(add(`{"a":${"[".repeat(100)}"]]]${"[".repeat(300)}"${"]".repeat(100)}}`))).toHaveProperty(
      "hooks",
    );
  });

  test("are refused where thousands of entries look like ours", () => {
    const group = { hooks: [{ type: "command", command: "mementor hook stop", timeout: 5 }] };
    const many = JSON.stringify({ hooks: { Stop: Array.from({ length: 5_000 }, () => group) } });
    expect(() => add(many)).toThrow(
      "f.json cannot be edited: it has 5000 hooks that look like those of mementor.",
    );
  });
});
