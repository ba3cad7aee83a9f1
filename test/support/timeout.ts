import { setDefaultTimeout } from "bun:test";

/**
 * A net that no test reaches, in ms: a busy machine is slow, and Bun's own five seconds stop a hook that waits for a worker.
 * `bunfig.toml` loads this file before tests: it holds for the first file of a process, so scripts that run many in one name a
 * time-out, too.
 */
setDefaultTimeout(600_000);
