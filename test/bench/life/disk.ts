import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Row, Session } from "./history.ts";

/** The transcripts as they stood on disk at a moment, which only goes forward. */
export class Disk {
  readonly #folder: string;
  readonly #sessions: readonly Session[];
  readonly #written = new Map<Session, number>();
  readonly #changed = new Set<string>();
  readonly #rewrite: (json: string) => string;

  constructor(folder: string, sessions: readonly Session[], rewrite: (json: string) => string) {
    mkdirSync(folder, { recursive: true });
    this.#folder = folder;
    this.#sessions = sessions;
    this.#rewrite = rewrite;
  }

  fileOf({ id }: Session): string {
    return join(this.#folder, `${id}.jsonl`);
  }

  /** Writes what the session holds before a line, and what others held before a time. */
  advance(session: Session, line: number, time: string): void {
    for (const each of this.#sessions) {
      const from = this.#written.get(each) ?? 0;
      const to = each === session ? Math.max(from, line) : endBefore(each.rows, from, time);
      if (to === from) continue;
      const lines = each.rows.slice(from, to).map(({ text }) => `${this.#rewrite(text)}\n`);
      appendFileSync(this.fileOf(each), lines.join(""));
      this.#written.set(each, to);
      this.#changed.add(this.fileOf(each));
    }
  }

  /** Returns the files that were written to since it was called last. */
  takeChanged(): string[] {
    const changed = [...this.#changed].sort();
    this.#changed.clear();
    return changed;
  }
}

function endBefore(rows: readonly Row[], from: number, time: string): number {
  let end = from;
  for (let row = rows[end]; row !== undefined && row.time !== "" && row.time < time; row = rows[end]) end++;
  return end;
}
