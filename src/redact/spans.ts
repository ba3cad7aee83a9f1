/** A secret in a text: from `start` up to, not including, `end`. */
export interface Secret {
  start: number;
  end: number;
  kind: string;
}

/** Sorts secrets and joins those that overlap; the one that starts first names the kind. */
export function joined(secrets: readonly Secret[]): Secret[] {
  const sorted = secrets.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const result: Secret[] = [];
  for (const secret of sorted) {
    const last = result.at(-1);
    if (last && secret.start < last.end) last.end = Math.max(last.end, secret.end);
    else result.push({ ...secret });
  }
  return result;
}
