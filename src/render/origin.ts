import type { Origin } from "../domain.ts";
import { shownName } from "../text/names.ts";

/** Says whose a row is: `by ada`, `imported from kettle`; null for what was made here. */
export function originOf({ author, foreign }: Origin): string | null {
  if (author !== null) return `by ${shownName(author)}`;
  return foreign === null ? null : `imported from ${shownName(foreign)}`;
}

/** The same for lists, which also name the user's own device where it was said: `said on laptop`. */
export function saidWhere(row: Origin): string | null {
  return originOf(row) ?? (row.device === undefined ? null : `said on ${shownDevice(row.device)}`);
}

/** The name of a device, with the start of its id where another one has the same name. */
export function shownDevice(device: string): string {
  const [, name = device, id = ""] = /^(.*?)( \([0-9a-f]{6}\))?$/su.exec(device) ?? [];
  return `${shownName(name)}${id}`;
}

/** The author and the device in JSON: only of what a colleague made, or was said on another device. */
export function originJson({ author, device }: Omit<Origin, "foreign">): {
  author?: string;
  device?: string;
} {
  return { ...authorJson({ author }), ...(device !== undefined && { device }) };
}

/** Stands before what was not made here, or was said on another device of the user. Empty for what was made here. */
export function originMark(row: Origin): string {
  const origin = originOf(row) ?? (row.device === undefined ? null : `on ${shownDevice(row.device)}`);
  return origin === null ? "" : `[${origin}] `;
}

/** The author in JSON: only of what a colleague made. */
export function authorJson({ author }: Pick<Origin, "author">): { author?: string } {
  return author === null ? {} : { author };
}
