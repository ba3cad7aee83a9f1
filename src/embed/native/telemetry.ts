import { dlopen } from "bun:ffi";
import { MementorError } from "../../errors.ts";

const VARIABLE = "ORT_DISABLE_TELEMETRY";

/** The C library by platform. Not needed on Windows: ONNX Runtime reports to the system's tracing there. */
const C_LIBRARY: Partial<Record<NodeJS.Platform, string>> = {
  linux: "libc.so.6",
  darwin: "libSystem.B.dylib",
};

/**
 * Turns off the telemetry of ONNX Runtime. Since 1.29, its official builds write a device id to the cache directory and
 * report each session over the network, unless this variable is set before the library starts.
 *
 * Call this before any thread loads the library. It sets the variable in the C library, because native code does not
 * see what JavaScript writes to its environment. Throws `embedder_unavailable` on failure: no vectors are better than a
 * report.
 */
export function disableTelemetry(): void {
  const library = C_LIBRARY[process.platform];
  if (library === undefined) return;
  try {
    const { symbols, close } = dlopen(library, {
      setenv: { args: ["cstring", "cstring", "i32"], returns: "i32" },
    });
    const failed = symbols.setenv(cString(VARIABLE), cString("1"), 1) !== 0;
    close();
    if (failed) throw new Error("setenv failed");
  } catch (error) {
    throw new MementorError("embedder_unavailable", "cannot turn off the telemetry of ONNX Runtime", {
      cause: error,
    });
  }
}

function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}
