import { dlopen } from "bun:ffi";
import { MementorError } from "../../errors.ts";

const VARIABLE = "ORT_DISABLE_TELEMETRY";

/** The C library by platform; Windows has no such switch: what ONNX Runtime reports there goes to the system's own tracing. */
const C_LIBRARY: Partial<Record<NodeJS.Platform, string>> = {
  linux: "libc.so.6",
  darwin: "libSystem.B.dylib",
};

/**
 * Tells ONNX Runtime to collect and send nothing. From 1.29 on its official builds write a device id to the cache
 * directory and report each session over the network unless this variable is set before the library starts.
 *
 * The variable is set in the C library, because what JavaScript writes to its environment is not seen there. Throws
 * `embedder_unavailable` when that fails: better no vectors than a report. Call it before any thread loads the
 * library.
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
