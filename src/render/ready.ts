import type { VectorsReady } from "../store/contract/types/stored.ts";

/** Says what the search by meaning has while vectors are missing. */
export function readyWords({ first, rest }: VectorsReady): string {
  const turns =
    first.pending === 0
      ? "every turn by its first passage"
      : `${percentOf(first)} of the turns' first passages`;
  return rest.total === 0 ? turns : `${turns}; ${percentOf(rest)} of the rest`;
}

function percentOf({ pending, total }: VectorsReady["rest"]): string {
  return `${Math.floor((100 * (total - pending)) / total)} %`;
}
