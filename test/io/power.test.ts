import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isBatteryPower, isDischarging, isOnBattery, isUnplugged } from "../../src/io/machine.ts";
import { tempDir } from "../store/builders.ts";

type Supplies = Record<string, Record<string, string>>;

function discharging(supplies: Supplies): boolean {
  using dir = tempDir();
  for (const [name, files] of Object.entries(supplies)) {
    mkdirSync(join(dir.path, name));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(dir.path, name, file), `${text}\n`);
  }
  return isDischarging(dir.path);
}

const BATTERY = { type: "Battery", status: "Discharging" };

const SUPPLIES: [string, Supplies, boolean][] = [
  ["a desktop without supplies", {}, false],
  ["a laptop on battery", { AC: { type: "Mains", online: "0" }, BAT0: BATTERY }, true],
  [
    "a laptop that charges",
    { AC: { type: "Mains", online: "1" }, BAT0: { ...BATTERY, status: "Charging" } },
    false,
  ],
  ["a weak charger over USB", { ucsi: { type: "USB", online: "1" }, BAT0: BATTERY }, false],
  ["a USB port without a charger", { ucsi: { type: "USB", online: "0" }, BAT0: BATTERY }, true],
  ["two batteries, one in use", { BAT0: { ...BATTERY, status: "Not charging" }, BAT1: BATTERY }, true],
  ["a desktop with a wireless mouse", { hidpp: { ...BATTERY, scope: "Device" } }, false],
  ["a full battery", { BAT0: { ...BATTERY, status: "Full" } }, false],
  ["a battery without a status", { BAT0: { type: "Battery" } }, false],
];

test.each(SUPPLIES)("Linux: %s", (_, supplies, expected) => expect(discharging(supplies)).toBe(expected));

test("macOS: reads what pmset prints", () => {
  const battery = "Now drawing from 'Battery Power'\n -InternalBattery-0\t71%; discharging; 4:02 remaining\n";
  const mains = "Now drawing from 'AC Power'\n -InternalBattery-0\t100%; charged; 0:00 remaining\n";
  expect([battery, mains, "Now drawing from 'AC Power'\n", ""].map(isBatteryPower)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test("Windows: reads the first byte of the power status", () => {
  expect([0, 1, 255].map((first) => isUnplugged(Uint8Array.of(first, 0, 50)))).toEqual([true, false, false]);
});

test("a platform that cannot be asked is on mains", async () => {
  const absent = process.platform === "linux" ? "darwin" : "linux";
  expect([await isOnBattery(absent), await isOnBattery("aix")]).toEqual([false, false]);
});
