import { dirname, join } from "node:path";
import { MODEL_PACKAGE, MULTILINGUAL } from "../embed/models/multilingual.ts";
import { statIfExists } from "../io/read.ts";
import { findInstallation, type InstallationFacts, installedFrom } from "./installation.ts";

/** Where a release is, as `MEMENTOR_BASE_URL` and the installer's note name it. */
interface ReleasePlaces {
  /** Paths of this machine. */
  directories: string[];
  /** Addresses of releases. */
  addresses: string[];
}

/** Addresses that the installers take too: nothing that another machine could change on its way. */
const ADDRESS = /^(?:https:\/\/|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])[:/])[^@\s]+$/;

/**
 * Finds the archive of the multilingual model, or the directory that it was unpacked to: beside the program, in the npm
 * package beside the program's, in the directory of a release, and in the current one. Null when it is not on this
 * machine.
 */
export function multilingualOnDisk(
  facts: InstallationFacts & { cwd: string },
  baseUrl: string | undefined,
): string | null {
  const beside = dirname(findInstallation(facts).program);
  const packaged = join(beside, "..", "..", MODEL_PACKAGE);
  const folders = [...placesOf(facts, baseUrl).directories, beside, packaged, facts.cwd];
  const found = folders.flatMap((folder) => [
    join(folder, MULTILINGUAL.archive),
    join(folder, MULTILINGUAL.folder),
  ]);
  return (
    found.find((path) =>
      path.endsWith(MULTILINGUAL.folder)
        ? statIfExists(join(path, "config.json"))?.isFile()
        : statIfExists(path)?.isFile(),
    ) ?? null
  );
}

/** Returns the address of a release that may have the archive; null where none is known. */
export function multilingualAddress(
  facts: Pick<InstallationFacts, "homeDir">,
  baseUrl: string | undefined,
): string | null {
  return placesOf(facts, baseUrl).addresses[0] ?? null;
}

function placesOf(
  { homeDir }: Pick<InstallationFacts, "homeDir">,
  baseUrl: string | undefined,
): ReleasePlaces {
  const named = [baseUrl, installedFrom(homeDir)].flatMap((place) => place?.replace(/(?<!\/)\/+$/, "") || []);
  return {
    directories: named.filter((place) => !/^https?:/.test(place)),
    addresses: named.filter((place) => ADDRESS.test(place)),
  };
}
