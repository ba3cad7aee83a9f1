const QUANTITY =
  /(\d+(?:[.,]\d+)?|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|half|an?)\b)[\s-]*(ms|milli\w*|s|secs?|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?|%|percent|[KMGT]i?B|bytes?|px|Hz|[a-z]{3,})/gi;
/** Units of one kind may take each other's place. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ["time", /^(?:ms|milli\w*|s|secs?|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?)$/i],
  ["share", /^(?:%|percent)$/i],
  ["bytes", /^(?:[kmgt]i?b|bytes?)$/i],
];

/**
 * Compares the quantities of two texts, such as `24 hours` and `15 minutes`: `same` if one of the first is in the second,
 * `other` if the second has only others of the same kind, `none` if they have no kind in common.
 */
export function compareQuantities(first: string, second: string): "none" | "same" | "other" {
  const theirs = quantitiesIn(second);
  const pairs = quantitiesIn(first).flatMap((one) =>
    theirs.filter(({ kind }) => kind === one.kind).map((other) => [one.value, other.value]),
  );
  if (pairs.length === 0) return "none";
  return pairs.some(([one, other]) => one === other) ? "same" : "other";
}

function quantitiesIn(text: string): { kind: string; value: string }[] {
  return [...text.matchAll(QUANTITY)].map(([, number = "", unit = ""]) => ({
    kind: KINDS.find(([, units]) => units.test(unit))?.[0] ?? unit.toLowerCase().replace(/s$/, ""),
    value: `${number} ${unit}`.toLowerCase(),
  }));
}
