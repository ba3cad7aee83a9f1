import { browsingContract } from "./browsing.contract.ts";
import type { OpenStore } from "./contract-support.ts";
import { exportingContract } from "./exporting.contract.ts";
import { journalContract } from "./journal.contract.ts";
import { searchingContract } from "./searching.contract.ts";
import { writingContract } from "./writing.contract.ts";

/** What every store must do, whatever it is made of. */
export function storeContract(name: string, open: OpenStore): void {
  writingContract(name, open);
  searchingContract(name, open);
  browsingContract(name, open);
  journalContract(name, open);
  exportingContract(name, open);
}
