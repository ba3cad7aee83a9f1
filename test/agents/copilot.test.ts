import { join } from "node:path";
import { copilot } from "../../src/agents/copilot.ts";
import { addLine, agentContract, installFolder } from "./contract.ts";

const FIXTURES = join(import.meta.dir, "../../fixtures/agents/copilot");

agentContract({
  agent: copilot,
  install: installFolder(join(FIXTURES, "home")),
  project: "/home/dev/kettle",
  sessions: [1, 2].map((n) => `5a000000-000${n}-4000-8000-00000000000${n}`),
  golden: join(FIXTURES, "read.txt"),
  neverStored: [
    "Notes from earlier sessions",
    "<current_datetime>",
    "<system_reminder>",
    "never stored hook input",
    "You are the GitHub Copilot CLI",
    "that nobody typed",
    "Another project",
  ],
  addUnknown: (source) => {
    addLine(source, { type: "invented.tomorrow", data: { x: 1 }, id: "u" });
    return "invented.tomorrow";
  },
  badLine: '{"type":"assistant.message","data":{"messageId":"u","content":"Half',
});
