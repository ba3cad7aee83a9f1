import type { BrowseStore } from "./browse.ts";
import { fileHistory } from "./browse-file-history.ts";
import type { Connection } from "./connection.ts";

export function browseStore(c: Connection): BrowseStore {
  return {
    async fileHistory(path, options) {
      return fileHistory(c, path, options);
    },
  };
}
