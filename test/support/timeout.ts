import { setDefaultTimeout } from "bun:test";

/**
 * A net that no test reaches, in ms: a busy machine is slow, and Bun's own five seconds stop a hook that waits for a worker.
 * `bunfig.toml` loads this file before tests: once for each file that is run alone or with `--isolate` or `--parallel`.
 */
setDefaultTimeout(600_000);
