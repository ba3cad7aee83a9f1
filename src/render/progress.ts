const BAR_WIDTH = 24;

/** The progress of a long task. `done` and `total` are counts of `unit`. */
export interface Progress {
  label: string;
  done: number;
  total: number;
  unit: string;
  elapsedMs: number;
}

function remaining({ done, total, elapsedMs }: Progress): string {
  if (done <= 0 || done >= total || elapsedMs < 1000) return "";
  return `  ${renderSeconds((elapsedMs / done) * (total - done))} left`;
}

/** Renders ms as `12 s` or `3 min 20 s`. */
export function renderSeconds(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Renders progress as one line, without a line break: a bar, the percentage and the remaining time. */
export function renderProgress(progress: Progress): string {
  const share = progress.total > 0 ? Math.min(1, progress.done / progress.total) : 1;
  const filled = Math.round(share * BAR_WIDTH);
  const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
  const percent = `${Math.floor(share * 100)}`.padStart(3);
  return `${progress.label.padEnd(10)} ${bar} ${percent} %  ${progress.unit}${remaining(progress)}`;
}

/** Returns the text that replaces the terminal's current line. */
export function overwriteLine(text: string): string {
  return `\r\x1b[2K${text}`;
}
