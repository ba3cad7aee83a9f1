import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { cline } from "../../../src/agents/cline/agent.ts";
import { agentContract, installFolder } from "../contract.ts";

const FIXTURES = join(import.meta.dir, "../../../fixtures/agents/cline");
const SESSIONS = ["1772791200000_crust", "1772877600000_dough"];
const DATA = ".cline/data/sessions";

const change = (file: string, work: (whole: { messages: object[] }) => void) => {
  const whole = JSON.parse(readFileSync(file, "utf8"));
  work(whole);
  writeFileSync(file, JSON.stringify(whole));
};

/** The home as it was when each file had so many messages. */
const withMessages = (count: number) => (home: string) => {
  for (const path of [
    `${SESSIONS[0]}/${SESSIONS[0]}`,
    `${SESSIONS[1]}/${SESSIONS[1]}`,
    `${SESSIONS[1]}/agent_1772877610000_levain`,
  ])
    change(join(home, DATA, `${path}.messages.json`), (whole) => {
      whole.messages = whole.messages.slice(0, count);
    });
};

agentContract({
  agent: cline,
  install: installFolder(join(FIXTURES, "home")),
  project: "/home/dev/bakery",
  sessions: SESSIONS,
  golden: join(FIXTURES, "read.txt"),
  neverStored: [
    "user_input",
    "mode_notice",
    "Never open the door",
    "Always bake at 240",
    "never touch vendor",
    "System-delivered",
    "You still have team",
    "denied by the user",
    "Another project",
  ],
  addUnknown: (source) => {
    change(source, ({ messages }) => {
      messages.push({ id: "new", role: "user", content: [{ type: "hologram" }], ts: 1 });
      messages.push({ id: "newer", role: "oracle", content: "Unheard of", ts: 2 });
    });
    return basename(source).startsWith("agent") ? "oracle" : "hologram";
  },
  rewrite: (source) => {
    writeFileSync(source, `${readFileSync(source, "utf8")}\n`);
    utimesSync(source, 2_000_000_000, 2_000_000_000);
  },
  earlier: [1, 2, 3, 4, 5, 6, 8, 9, 11, 12].map(withMessages),
});
