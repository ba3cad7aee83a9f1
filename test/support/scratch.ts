import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const IN_MEMORY = "/dev/shm";
/** What the largest test needs, with room to spare; containers often give 64 MB. */
const NEEDED_BYTES = 56 << 20;

/** Where tests that open many databases keep them: in memory if possible, for closing one on a disk waits for the disk. */
export const SCRATCH = hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir();

function hasRoom(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}
