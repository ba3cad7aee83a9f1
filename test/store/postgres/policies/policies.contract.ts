import { describe } from "bun:test";
import { belongingPolicies } from "./belonging.contract.ts";
import { castOf, type OpenTeam } from "./cast.ts";
import { growthPolicies } from "./growth.contract.ts";
import { leakPolicies } from "./leaks.contract.ts";
import { quotaPolicies } from "./quota.contract.ts";
import { rolePolicies } from "./roles.contract.ts";
import { rowPolicies } from "./rows.contract.ts";
import { searchPolicies } from "./search.contract.ts";

/** What a member's role must not be able to do, on every server. */
export function policiesContract(name: string, open: OpenTeam): void {
  describe(name, () => {
    const cast = castOf(open);
    rowPolicies(cast);
    rolePolicies(cast);
    belongingPolicies(cast);
    quotaPolicies(cast);
    searchPolicies(cast);
    leakPolicies(cast);
    growthPolicies(cast);
  });
}
