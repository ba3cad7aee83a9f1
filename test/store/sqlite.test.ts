import { openStore } from "./builders.ts";
import { storeContract } from "./store.contract.ts";

storeContract("in a file", (file) => openStore(file));
