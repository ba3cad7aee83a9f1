import { expect, test } from "bun:test";
import { isStartedIndependently, type ProcessFacts } from "../../src/io/ancestors.ts";

const USER_SYSTEMD = ["systemd", 20] as Named;
const AGENT = { pid: 50, started: "500" };
const APPS = "/user.slice/user-1000.slice/user@1000.service/app.slice";
const EDITOR = `${APPS}/app-gnome-code-50.scope`;
const TERMINAL = `${APPS}/app-org.kde.konsole@2.service`;
const LOGIN = "/user.slice/user-1000.slice/session-7.scope";

type Named = [name: string, started: number, place?: { user?: number; unit?: string | null }];

/** The ancestors of a note's process, the nearest first, up to the first process of the system. Those of user 0 are root's. */
function chain(...above: Named[]) {
  return chainIn(EDITOR, ...above);
}

/** The same, where the note's process and those whose place does not say otherwise are in a unit. */
function chainIn(own: string | null, ...above: Named[]) {
  const all: Named[] = [["mementor", 900], ...above];
  const processes = all.map(([name, started, { user = 1000, unit = own } = {}], at): ProcessFacts => {
    const parent = at + 1 < all.length ? 100 + at + 1 : name === "systemd" ? 1 : 0;
    return { pid: 100 + at, parent, name, started: String(started), user, unit };
  });
  const root = { parent: 0, user: 0, unit: "/init.scope" };
  const first: ProcessFacts = { ...root, pid: 1, name: "systemd", started: "1" };
  const agent: ProcessFacts = { ...AGENT, parent: 1, name: "claude", user: 1000, unit: EDITOR };
  return (pid: number) => (pid === 1 ? first : pid === AGENT.pid ? agent : (processes[pid - 100] ?? null));
}

test.each<[string, ReturnType<typeof chain>, boolean]>([
  ["a tab of a terminal that is older", chain(["bash", 800], ["gnome-terminal-", 300], USER_SYSTEMD), true],
  [
    "a new window of an older desktop",
    chain(["zsh", 800], ["alacritty", 790], ["gnome-shell", 40], USER_SYSTEMD),
    true,
  ],
  [
    "a new login over ssh",
    chain(["bash", 800], ["sshd", 790], ["sshd", 780, { user: 0 }], USER_SYSTEMD),
    true,
  ],
  ["a shell from outside of a container", chain(["bash", 800]), true],
  [
    "a new terminal that the desktop's systemd started",
    chainIn(TERMINAL, ["bash", 800], ["konsole", 790], USER_SYSTEMD),
    true,
  ],
  [
    "a tab in a unit of its own",
    chainIn(`${APPS}/vte-spawn-1.scope`, ["bash", 800], ["kgx", 790, { unit: TERMINAL }], USER_SYSTEMD),
    true,
  ],
  [
    "a login whose ancestors have ended, as over mosh",
    chainIn(LOGIN, ["bash", 800], ["mosh-server", 790], USER_SYSTEMD),
    true,
  ],
  ["a terminal that a detached shell made", chain(["sh", 800], ["script", 790], USER_SYSTEMD), false],
  [
    "one in a unit below the agent's",
    chainIn(`${EDITOR}/own.scope`, ["sh", 800], ["script", 790], USER_SYSTEMD),
    false,
  ],
  [
    "one that systemd-run made",
    chainIn(`${APPS}/run-u12.service`, ["sh", 800], ["script", 790], USER_SYSTEMD),
    false,
  ],
  [
    "one that systemd-run made under a name of the agent's",
    chainIn(`${APPS}/x.service`, ["sh", 800], ["script", 790], USER_SYSTEMD),
    false,
  ],
  [
    "a window of a multiplexer in such a unit",
    chainIn(
      `${APPS}/tmux-spawn-1.scope`,
      ["bash", 800],
      ["tmux: server", 790, { unit: `${APPS}/x.service` }],
      USER_SYSTEMD,
    ),
    false,
  ],
  [
    "a window of a multiplexer that a person's terminal started",
    chainIn(
      `${APPS}/tmux-spawn-1.scope`,
      ["bash", 800],
      ["tmux: server", 790, { unit: TERMINAL }],
      USER_SYSTEMD,
    ),
    true,
  ],
  [
    "a window of a multiplexer that a detached shell started, in a unit of its own",
    chainIn(
      `${APPS}/tmux-spawn-1.scope`,
      ["bash", 800],
      ["tmux: server", 790, { unit: EDITOR }],
      USER_SYSTEMD,
    ),
    false,
  ],
  ["where there are no units", chainIn(null, ["sh", 800], ["script", 790], USER_SYSTEMD), false],
  [
    "a new multiplexer that is nobody's child",
    chain(["bash", 800], ["tmux: server", 790], USER_SYSTEMD),
    false,
  ],
  ["a process that calls itself otherwise", chain(["sh", 800], ["sshd", 790], USER_SYSTEMD), false],
  [
    "more processes than any chain has",
    chain(...Array.from({ length: 40 }, (): Named => ["sh", 800]), ["bash", 300]),
    false,
  ],
])("%s", (_what, look, expected) => {
  expect(isStartedIndependently(100, AGENT, "linux", look)).toBe(expected);
});

test("a process that ended meanwhile, and a child of the first one, say nothing", () => {
  const ended = (pid: number) => (pid === 100 ? chain(["sh", 800])(100) : null);
  expect(isStartedIndependently(100, AGENT, "linux", ended)).toBe(false);
  const orphan: ProcessFacts = {
    pid: 100,
    parent: 1,
    name: "mementor",
    started: "900",
    user: 1000,
    unit: EDITOR,
  };
  expect(isStartedIndependently(100, AGENT, "linux", (pid) => (pid === 100 ? orphan : chain()(pid)))).toBe(
    false,
  );
});

test("it is not known on other systems, nor of an agent whose start is not", () => {
  const look = chain(["bash", 800]);
  expect(isStartedIndependently(100, AGENT, "darwin", look)).toBeNull();
  expect(isStartedIndependently(100, { ...AGENT, started: null }, "linux", look)).toBeNull();
});
