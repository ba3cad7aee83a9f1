import { startTeam } from "../../support/postgres/team.ts";
import { policiesContract } from "./policies/policies.contract.ts";

policiesContract("a member", startTeam);
