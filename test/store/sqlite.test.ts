import { openEmptyStore } from "./builders.ts";
import { storeContract } from "./store.contract.ts";

storeContract("with the extension", (file) => openEmptyStore(file, { vectorBackend: "extension" }));
storeContract("without the extension", (file) =>
  openEmptyStore(file, { vectorBackend: "scan", vecLibrary: null }),
);
