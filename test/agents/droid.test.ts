import { join } from "node:path";
import { droid } from "../../src/agents/droid.ts";
import { addLine, agentContract, installFolder } from "./contract.ts";

const FIXTURES = join(import.meta.dir, "../../fixtures/agents/droid");

agentContract({
  agent: droid,
  install: installFolder(join(FIXTURES, "home")),
  project: "/home/dev/lighthouse",
  sessions: [1, 3, 4].map((n) => `d7010000-000${n}-4000-8000-00000000000${n}`),
  golden: join(FIXTURES, "read.txt"),
  neverStored: [
    "system-reminder",
    "User system info",
    "TodoWrite was not called",
    "never stored",
    "user rejected",
    "Process exited",
    "Another project",
  ],
  addUnknown: (source) => {
    addLine(source, { type: "invented_tomorrow", id: "u" });
    return "invented_tomorrow";
  },
  badLine: '{"type":"message","id":"u","message":{"role":"assistant","content":[{"type":"te',
});
