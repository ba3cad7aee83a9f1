import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gemini } from "../../../src/agents/gemini/agent.ts";
import { addLine, agentContract, installFolder } from "../contract.ts";

const FIXTURES = join(import.meta.dir, "../../../fixtures/agents/gemini");
const OLDER = "2d6b90fe-3a41-4d7c-9e05-6c8f1a2b3d4e";
const FOLDER = "6a3044edb99cd15d6c7ba31881e30d5fcee2a1072bf68202cfc22e3fa99f13e4";
const OLDER_FILE = `.gemini/tmp/${FOLDER}/chats/session-2026-01-10T08-00-2d6b90fe.json`;

agentContract({
  agent: gemini,
  install: installFolder(join(FIXTURES, "home")),
  project: "/home/dev/kiln",
  golden: join(FIXTURES, "read.txt"),
  sessions: ["5c1e77aa-0d3f-4b52-9b6a-3f2e1d0c9b8a", "8f20c4d1-77be-4e0a-a1c3-50d9e6b7f412"],
  neverStored: [
    "hook_context",
    "witness cones",
    "degrees per hour",
    "LAG was measured",
    "session_context",
    "Always answer like a potter",
    "Cone 6 is 1222",
    "Thanks for the additional context",
    "You have stopped calling tools",
    "Please continue",
    "Update available",
    "untrusted_context",
    "Process Group",
  ],
  addUnknown: (source) => {
    addLine(source, {
      id: "u",
      timestamp: "2026-03-09T00:00:00.000Z",
      type: "hologram",
      content: "Unheard of",
    });
    addLine(source, { $forget: "u" });
    return "hologram";
  },
  badLine: '{"id":"1f000063-4a11-4c22-8d33-000000abc063","timestamp":"2026-03-04T09:00:59.000Z","type":"us',
});

const olderObject = (home: string) => JSON.parse(readFileSync(join(home, OLDER_FILE), "utf8"));
const withMessages = (count: number) => (home: string) => {
  const whole = olderObject(home);
  writeFileSync(
    join(home, OLDER_FILE),
    JSON.stringify({ ...whole, messages: whole.messages.slice(0, count) }),
  );
};

agentContract({
  agent: gemini,
  install: installFolder(join(FIXTURES, "older")),
  project: "/home/dev/kiln",
  golden: join(FIXTURES, "older.read.txt"),
  sessions: [OLDER],
  neverStored: [
    "hook_context",
    "witness cones",
    "degrees per hour",
    "Your task is to do a deep investigation",
  ],
  addUnknown: (source) => {
    const whole = JSON.parse(readFileSync(source, "utf8"));
    whole.messages.push({ id: "u", type: "hologram", content: "Unheard of" });
    writeFileSync(source, JSON.stringify(whole));
    return "hologram";
  },
  earlier: [1, 2, 3, 4, 5].map(withMessages),
});
