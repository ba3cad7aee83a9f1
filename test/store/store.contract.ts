import { browsingContract } from "./browsing.contract.ts";
import { inFile, type OpenStore } from "./contract-support.ts";
import { exportingContract } from "./exporting.contract.ts";
import { journalContract } from "./journal.contract.ts";
import { localBrowsingContract } from "./local-browsing.contract.ts";
import { localSearchingContract } from "./local-searching.contract.ts";
import { searchingContract } from "./searching.contract.ts";
import { writingContract } from "./writing.contract.ts";

/** What a memory's file must do, however it looks for vectors. */
export function storeContract(name: string, open: OpenStore): void {
  writingContract(name, open);
  searchingContract(name, inFile(open));
  localSearchingContract(name, open);
  browsingContract(name, inFile(open));
  localBrowsingContract(name, open);
  journalContract(name, open);
  exportingContract(name, inFile(open));
}
