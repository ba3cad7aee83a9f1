import { join } from "node:path";
import { agentName } from "../../src/agents/agent.ts";
import { AGENTS } from "../../src/agents/list.ts";
import { held } from "../platforms/page.ts";
import { type MadeTable, triedOn, writeRows } from "../support/made-table.ts";
import { CLAUDE, CLIENTS, type Client } from "./clients.ts";

/** What came of a client's scene. */
export interface Played {
  client: Client;
  outcomes: { name: string; problem: string }[];
}

const NAMES = [...CLIENTS.map(nameOf), ...AGENTS.map(({ id }) => agentName(id))];
const TABLE: MadeTable = {
  start: "<!-- Made by bun run test:clients --page. -->",
  head: ["agent", "its version", "how", "tried", "checks that hold"],
  place: ([name]) => NAMES.indexOf(name ?? ""),
};

/** Writes into the page how each agent was tried: who was not played is known by its files alone. */
export async function writeClients(played: readonly Played[]): Promise<void> {
  const clients = new Set([CLAUDE, ...CLIENTS].map(({ id }) => id));
  const unplayed = AGENTS.filter(({ id }) => !clients.has(id));
  const rows = [
    ...played.map(({ client, outcomes }) => [
      nameOf(client),
      client.version,
      "run, with Claude Code",
      triedOn(),
      held(outcomes),
    ]),
    ...unplayed.map(({ id }) => [
      agentName(id),
      "",
      "checked by file",
      "",
      "its files are read in the tests",
    ]),
  ];
  await writeRows(join(import.meta.dir, "../../.github/docs/platforms.md"), TABLE, rows);
}

function nameOf({ id, told }: Client): string {
  return told === "hooks" ? agentName(id) : `${agentName(id)}, by ${told === "mcp" ? "MCP" : "its plugin"}`;
}
