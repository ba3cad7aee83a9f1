import { expect, test } from "bun:test";
import { thisMachine } from "../../src/io/machine.ts";

test("the times of all cores are added up", () => {
  const times = { user: 1, nice: 2, sys: 3, idle: 10, irq: 4 };
  const core = { model: "", speed: 0, times };
  expect(thisMachine("linux", () => [core, core]).cpuTimes()).toEqual({ busy: 20, total: 40 });
});

test("no time is known where the system tells nothing of its processors", () => {
  const refuse = () => {
    throw new Error("Failed to get CPU information");
  };
  expect(thisMachine("win32", refuse).cpuTimes()).toEqual({ busy: 0, total: 0 });
});
