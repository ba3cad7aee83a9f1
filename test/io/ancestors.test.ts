import { expect, test } from "bun:test";
import { type Relative, reachesOlder } from "../../src/io/ancestors.ts";

/** The ancestors of a note's process, the nearest first, up to the first process of the system. Those of user 0 are root's. */
function chain(...above: [name: string, started: number, user?: number][]) {
  const all: [name: string, started: number, user?: number][] = [["mementor", 900], ...above];
  const processes = all.map(([name, started, user = 1000], at): Relative => {
    const parent = at + 1 < all.length ? 100 + at + 1 : name === "systemd" ? 1 : 0;
    return { pid: 100 + at, parent, name, started: String(started), user };
  });
  const first: Relative = { pid: 1, parent: 0, name: "systemd", started: "1", user: 0 };
  return (pid: number) => (pid === 1 ? first : (processes[pid - 100] ?? null));
}

const USER_SYSTEMD = ["systemd", 20] as [string, number];
const AGENT = { started: "500" };

test.each<[string, ReturnType<typeof chain>, boolean]>([
  ["a tab of a terminal that is older", chain(["bash", 800], ["gnome-terminal-", 300], USER_SYSTEMD), true],
  [
    "a new window of an older desktop",
    chain(["zsh", 800], ["alacritty", 790], ["gnome-shell", 40], USER_SYSTEMD),
    true,
  ],
  ["a new login over ssh", chain(["bash", 800], ["sshd", 790], ["sshd", 780, 0], USER_SYSTEMD), true],
  ["a shell from outside of a container", chain(["bash", 800]), true],
  ["a terminal that a detached shell made", chain(["sh", 800], ["script", 790], USER_SYSTEMD), false],
  [
    "a new multiplexer that is nobody's child",
    chain(["bash", 800], ["tmux: server", 790], USER_SYSTEMD),
    false,
  ],
  ["a process that calls itself otherwise", chain(["sh", 800], ["sshd", 790], USER_SYSTEMD), false],
  [
    "more processes than any chain has",
    chain(...Array.from({ length: 40 }, () => ["sh", 800] as [string, number]), ["bash", 300]),
    false,
  ],
])("%s", (_what, look, expected) => {
  expect(reachesOlder(100, AGENT, "linux", look)).toBe(expected);
});

test("a process that ended meanwhile, and a child of the first one, say nothing", () => {
  expect(reachesOlder(100, AGENT, "linux", (pid) => (pid === 100 ? chain(["sh", 800])(100) : null))).toBe(
    false,
  );
  const orphan: Relative = { pid: 100, parent: 1, name: "mementor", started: "900", user: 1000 };
  expect(reachesOlder(100, AGENT, "linux", (pid) => (pid === 100 ? orphan : chain()(pid)))).toBe(false);
});

test("it is not known on other systems, nor of an agent whose start is not", () => {
  expect(reachesOlder(100, AGENT, "darwin", chain(["bash", 800]))).toBeNull();
  expect(reachesOlder(100, { started: null }, "linux", chain(["bash", 800]))).toBeNull();
});
