import { withoutForward } from "../../../turn/cut.ts";
import type { TurnText } from "../../../turn/text.ts";
import type { TeamTurn } from "../../team.ts";
import { decodeParts } from "../../turn-rows.ts";
import type { Connection } from "../connection/connection.ts";
import { TEXT, type TextRow } from "../turns/texts.ts";
import type { Ownership } from "./write-turn.ts";

/** Returns the turn that the memory has from a transcript of its own; null when it has none. */
export function turnMadeHere(connection: Connection, turn: TeamTurn, turnKey: Uint8Array): OwnCopy | null {
  const own = "t.author IS NULL AND t.device_id IS NULL";
  const shared = connection.get<TextRow>(
    `SELECT ${TEXT} FROM team_changes c JOIN turns t ON t.id = c.turn_id
     WHERE c.turn_key = ? AND c.kind = 'put' AND c.target IS NULL AND ${own}`,
    turnKey,
  );
  const facts = { sessionId: turn.session.sessionId, agent: turn.agentId ?? "" };
  const same = "t.session_id = $sessionId AND coalesce(t.agent_id, '') = $agent";
  const row =
    shared ??
    (turn.promptUuid === null
      ? connection.get<TextRow>(
          `SELECT ${TEXT} FROM turns t WHERE t.created_at IS $createdAt AND t.full_text = $text AND ${same} AND ${own}`,
          { ...facts, createdAt: turn.createdAt, text: turn.text },
        )
      : connection.get<TextRow>(
          `SELECT ${TEXT} FROM turns t WHERE t.prompt_uuid = $promptUuid AND ${same} AND ${own}`,
          { ...facts, promptUuid: turn.promptUuid },
        ));
  return row && { id: row.id, text: row.text, parts: decodeParts(row.parts) };
}

export interface OwnCopy extends TurnText {
  id: number;
}

/** Which of two copies of one's own turn counts: the one that is here, that of another device, or either. */
export type Counting = "here" | "there" | "either";

/** Says which copy counts: the longer one, as the other was read earlier. */
export function counting(here: OwnCopy, there: TeamTurn): Counting {
  const [mine, theirs] = [withoutForward(here).text, withoutForward(there).text];
  if (mine === theirs) return "either";
  return mine.length > theirs.length || (mine.length === theirs.length && mine > theirs) ? "here" : "there";
}

/** Settles one's own turn that another device has sent, too. */
export function settle(
  connection: Connection,
  { id }: OwnCopy,
  counts: Counting,
  { deviceId, turnKey }: Ownership,
): void {
  // The team has this turn of the user's, whichever copy counts: it can be unshared from here.
  connection.run("UPDATE OR IGNORE turns SET turn_key = ? WHERE id = ? AND turn_key IS NULL", turnKey, id);
  if (counts === "either") return;
  const { changes } = connection.run(
    "UPDATE team_changes SET kind = 'void' WHERE turn_key = ? AND kind = 'put' AND target IS NULL",
    turnKey,
  );
  if (counts === "there")
    connection.run(
      "UPDATE turns SET device_id = $deviceId, turn_key = $turnKey, source_id = NULL, line_index = NULL WHERE id = $id",
      { id, deviceId, turnKey },
    );
  // It is sent again, in place of the other.
  else if (changes > 0) connection.run("INSERT OR IGNORE INTO team_dirty (turn_id) VALUES (?)", id);
}
