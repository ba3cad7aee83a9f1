import { describe } from "bun:test";
import { belongingPolicies } from "./belonging.contract.ts";
import type { OpenTeam } from "./cast.ts";
import { growthPolicies } from "./growth.contract.ts";
import { leakPolicies } from "./leaks.contract.ts";
import { quotaPolicies } from "./quota.contract.ts";
import { rolePolicies } from "./roles.contract.ts";
import { rowPolicies } from "./rows.contract.ts";
import { searchPolicies } from "./search.contract.ts";

/** What a member's role must not be able to do, on every server. */
export function policiesContract(name: string, open: OpenTeam): void {
  describe(name, () => {
    rowPolicies(open);
    rolePolicies(open);
    belongingPolicies(open);
    quotaPolicies(open);
    searchPolicies(open);
    leakPolicies(open);
    growthPolicies(open);
  });
}
