import { NOTE } from "../../constants.ts";
import { MementorError } from "../../errors.ts";
import { readIfExists } from "../../io/read.ts";
import { safeJson } from "../../render/json.ts";
import type { SessionSummary } from "../../store/browse.ts";
import type { ReadStore } from "../../store/store.ts";
import type { StoredTurn } from "../../store/stored.ts";
import type { View } from "../shared/view.ts";

/** Shows the original lines of a turn. Throws `not_found` when its transcript is gone or has changed. */
export async function rawTurn({ local }: ReadStore, turn: StoredTurn): Promise<View> {
  if (turn.client === NOTE.client) throw noLines(`Turn ${turn.turnId}`);
  if (local === null) throw notOnServer(turn);
  const place = await local.browse.transcriptPlace(turn.turnId);
  if (place === null) throw gone(`Turn ${turn.turnId} was not read from a transcript here.`);
  const lines = linesOf(place.path);
  const { firstLine, endLine, promptUuid } = place;
  const isThere = firstLine !== null && (promptUuid === null || lines[firstLine]?.includes(promptUuid));
  if (!isThere) throw gone(`${place.path} no longer contains turn ${turn.turnId}.`);
  return raw(place.path, lines.slice(firstLine, endLine ?? undefined));
}

/** Shows a session's whole transcript. Throws `not_found` when it is gone. */
export async function rawSession({ local }: ReadStore, session: SessionSummary): Promise<View> {
  const { sessionId, client, transcriptPath } = session;
  if (client === NOTE.client) throw noLines(`Session ${sessionId}`);
  if (local === null) throw notOnServer(session);
  if (transcriptPath === null) throw gone(`Session ${sessionId} was not read from a transcript here.`);
  return raw(transcriptPath, linesOf(transcriptPath));
}

/** The error for a team's database: transcripts stay where sessions were held. */
function notOnServer({ sessionId, author }: Pick<SessionSummary, "sessionId" | "author">): MementorError {
  if (author !== null)
    return new MementorError(
      "usage",
      `The transcript of session ${sessionId} is on the machine of ${author}.`,
      {
        hint: "The team has the text: leave out --raw.",
      },
    );
  return new MementorError("usage", `The transcript of session ${sessionId} is not on the team's server.`, {
    hint: `It is on the machine where you held it. There, run: mementor show ${sessionId.slice(0, 8)} --raw`,
  });
}

function linesOf(path: string): string[] {
  const text = readIfExists(path);
  if (text === null) throw gone(`The transcript is gone: ${path}`);
  return text.split("\n");
}

function noLines(what: string): MementorError {
  return new MementorError("usage", `${what} is a note: it was not read from a transcript.`, {
    hint: "Leave out --raw.",
  });
}

function gone(message: string): MementorError {
  return new MementorError("not_found", message, {
    hint: "Claude Code deletes transcripts after some weeks. The memory still has the text: leave out --raw.",
  });
}

function raw(path: string, all: readonly string[]): View {
  const lines = all.filter((line) => line !== "");
  return {
    json: () => ({ transcript_path: path, lines: lines.map(parsed) }),
    text: () => lines.map((line) => `${safeJson(line)}\n`).join(""),
  };
}

/** Parses a line. Returns a line that is not JSON as text. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
