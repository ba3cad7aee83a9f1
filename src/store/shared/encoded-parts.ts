import type { Failure } from "../../domain.ts";
import type { PartKind, TurnPart } from "../../turn/text.ts";

type Encoded = readonly (readonly [kind: PartKind, start: number, end: number])[];

export function encodeParts(parts: readonly TurnPart[]): string {
  return JSON.stringify(parts.map(({ kind, start, end }) => [kind, start, end]));
}

export function decodeParts(json: string | null): TurnPart[] {
  const encoded: Encoded = json === null ? [] : JSON.parse(json);
  // By position: patterns are slow until they are compiled, and a hook ends before that.
  return encoded.map((part) => ({ kind: part[0], start: part[1], end: part[2] }));
}

type EncodedFailure = readonly [start: number, end: number, call: number | null, mended: 0 | 1];

export function encodeFailures(failures: readonly Failure[]): string {
  return JSON.stringify(
    failures.map(({ start, end, call, mended }): EncodedFailure => [start, end, call, mended ? 1 : 0]),
  );
}

export function decodeFailures(json: string | null): Failure[] {
  const encoded: readonly EncodedFailure[] = json === null ? [] : JSON.parse(json);
  return encoded.map(([start, end, call, mended]) => ({ start, end, call, mended: mended === 1 }));
}
