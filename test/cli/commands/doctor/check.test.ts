import { expect, test } from "bun:test";
import { type Check, diagnose, failure, ok, warning } from "../../../../src/cli/commands/doctor/check.ts";
import { MementorError } from "../../../../src/errors.ts";

async function all(checks: Check[], fix: boolean) {
  const found = [];
  for await (const diagnosis of diagnose(checks, { fix })) found.push(diagnosis);
  return found;
}

const none = { advice: null, canFix: false, fixed: null };

test("reports each check, also one that throws", async () => {
  const checks: Check[] = [
    { name: "a", run: () => ok("fine") },
    {
      name: "b",
      run: () => {
        throw new MementorError("io", "broke", { hint: "mend it" });
      },
    },
    { name: "c", run: async () => warning("odd", "look") },
  ];
  expect(await all(checks, false)).toEqual([
    { ...none, name: "a", state: "ok", message: "fine" },
    { ...none, name: "b", state: "error", message: "broke", advice: "mend it" },
    { ...none, name: "c", state: "warning", message: "odd", advice: "look" },
  ]);
});

test("mends only when asked to, and looks again", async () => {
  let isBroken = true;
  const repair = () => {
    isBroken = false;
  };
  const mendable: Check = {
    name: "m",
    run: () => (isBroken ? failure("broken", "fix it", repair) : ok("whole")),
  };
  expect(await all([mendable], false)).toEqual([
    { name: "m", state: "error", message: "broken", advice: "fix it", canFix: true, fixed: null },
  ]);
  expect(await all([mendable], true)).toEqual([
    { name: "m", state: "ok", message: "whole", advice: null, canFix: false, fixed: "broken" },
  ]);
});

test("says why something could not be mended", async () => {
  const stuck: Check = {
    name: "s",
    run: () =>
      failure("broken", "fix it", () => {
        throw new Error("no space");
      }),
  };
  expect(await all([stuck], true)).toEqual([
    { name: "s", state: "error", message: "broken; no space", advice: "fix it", canFix: true, fixed: null },
  ]);
});
