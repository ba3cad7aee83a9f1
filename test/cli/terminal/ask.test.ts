import { expect, test } from "bun:test";
import { askUser } from "../../../src/cli/terminal/ask.ts";
import type { Host } from "../../../src/host.ts";
import { hostIn } from "../../support/host.ts";

test("Ctrl-C is listened to before the question stands there, so that it may be pressed at once", async () => {
  const { host } = hostIn({
    argv: [],
    cwd: "/",
    homeDir: "/home/ada",
    now: new Date("2026-03-01T12:00:00Z"),
  });
  const pressed = new AbortController();
  let isListening = false;
  const person: Host = {
    ...host,
    interrupted() {
      isListening = true;
      return pressed.signal;
    },
    stdin: { ...host.stdin, readLine: () => new Promise(() => {}) },
    stderr: {
      ...host.stderr,
      write: (text) => {
        if (text.startsWith("Delete it?") && isListening) pressed.abort();
      },
    },
  };
  expect(await askUser(person, "Delete it?", "no")).toBe("quit");
});
