import type { Origin } from "../../domain.ts";
import type { RecallStats } from "../../report/activity.ts";
import type { Report, ReportSession } from "../../report/report.ts";
import { truncateGraphemes } from "../../text/graphemes.ts";
import { otherClient } from "../client.ts";
import { oneLine } from "../list.ts";
import { originOf } from "../origin.ts";
import { sessionName } from "../session-name.ts";
import type { Conversation } from "./conversation.ts";

/** The input of a page. */
export interface ReportPage {
  report: Report;
  /** The newest sessions' conversations, as many as a page holds; null without conversations. */
  conversations: readonly Conversation[] | null;
  /** Number of notes, which are no sessions and stand in no list. */
  notes: number;
  /** Local days with a turn. */
  days: number;
  /** Null when a filter applies, since recalls are counted for the whole memory, and for a team's database. */
  recall: RecallStats | null;
  /** The filters in words; empty without any. */
  narrowed: string;
  /** Name of the project. */
  project: string;
  now: Date;
}

const TITLE_GRAPHEMES = 200;
const MESSAGE_GRAPHEMES = 160;
const PATH_GRAPHEMES = 300;
const NARROWED_GRAPHEMES = 600;

/** Returns the data for the page's script. Frequent objects become arrays to save space; all texts are safe to show. */
export function pageData(shownPage: ReportPage) {
  const { report, conversations, days, recall, narrowed, project, now } = shownPage;
  const paths = new Numbering();
  const branches = new Numbering();
  const turnIds = new Map(conversations?.map((each) => [each.sessionId, each.turnIds]));
  const sessions = report.sessions.map((session) => ({
    ...sessionData(session, paths, branches),
    turnIds: turnIds.get(session.summary.sessionId) ?? null,
  }));
  const { period, starts, rows } = report.heat;
  return {
    project: shown(project, TITLE_GRAPHEMES),
    made: now.toISOString(),
    hasConversations: conversations !== null,
    narrowed: shown(narrowed, NARROWED_GRAPHEMES),
    totals: { ...report.totals, days, notes: shownPage.notes },
    recall: recall && {
      prompts: recall.given + recall.silent,
      given: recall.given,
      told: recall.turnsTold,
      used: recall.turnsUsed,
    },
    sessions,
    usual: report.usual,
    heat: {
      period,
      starts,
      rows: rows.map(({ path, touches, counts }) => [paths.of(shown(path, PATH_GRAPHEMES)), touches, counts]),
    },
    paths: paths.names,
    branches: branches.names,
  };
}

function sessionData(
  { summary, files, commits, prs, near }: ReportSession,
  paths: Numbering,
  branches: Numbering,
) {
  return {
    id: summary.sessionId,
    title: shown(sessionName(summary), TITLE_GRAPHEMES),
    prompt: summary.firstPrompt === null ? null : shown(summary.firstPrompt, TITLE_GRAPHEMES),
    start: summary.startedAt ?? summary.endedAt,
    end: summary.endedAt,
    branch: summary.branch === null ? -1 : branches.of(shown(summary.branch, MESSAGE_GRAPHEMES)),
    turns: summary.turns,
    fileCount: summary.files,
    files: files.map(({ path, touches, changes }) => [
      paths.of(shown(path, PATH_GRAPHEMES)),
      touches,
      changes,
    ]),
    commits: commits.map(({ hash, message }) => [shown(hash, 12), shown(message, MESSAGE_GRAPHEMES)]),
    prs: prs.map(({ prNumber, prUrl, prRepository }) => [
      prNumber,
      webAddress(prUrl),
      shown(prRepository, MESSAGE_GRAPHEMES),
    ]),
    client: otherClient(summary.client),
    automated: summary.automated,
    whose: whoseOf(summary),
    near,
  };
}

/** Whose a session is; null where it was held here. */
function whoseOf(summary: Origin): string | null {
  const whose = originOf(summary);
  return whose === null ? null : shown(whose, MESSAGE_GRAPHEMES);
}

function shown(text: string, graphemes: number): string {
  return truncateGraphemes(oneLine(text), graphemes);
}

/** Returns an address that is safe as a link; null for schemes other than http and https. */
function webAddress(url: string): string | null {
  const address = URL.parse(url);
  return address?.protocol === "https:" || address?.protocol === "http:" ? address.href : null;
}

/** Numbers texts in order of their first use. */
class Numbering {
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}
