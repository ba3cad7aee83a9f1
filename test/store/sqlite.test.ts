import { openStore } from "./builders.ts";
import { storeContract } from "./store.contract.ts";

storeContract("with the extension", (file) => openStore(file, { vectorBackend: "extension" }));
storeContract("without the extension", (file) =>
  openStore(file, { vectorBackend: "scan", vecLibrary: null }),
);
