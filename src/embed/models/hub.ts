import { createHash, type Hash } from "node:crypto";
import { createWriteStream, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import * as v from "valibot";
import { MementorError } from "../../errors.ts";
import { ioError, systemCode } from "../../io/errors.ts";
import { ensurePrivateDir } from "../../io/write.ts";
import { chooseFiles, unusableModel } from "./choose.ts";

/** The part of `fetch` that a download uses. */
export type Fetch = (url: string, init: { signal: AbortSignal }) => Promise<Response>;

/** The network access and the callbacks of a download. */
export interface HubAccess {
  fetch: Fetch;
  /** URL of the hub, without a trailing slash. */
  endpoint: string;
  /** Called with the current file and the bytes downloaded so far, over all files. */
  onProgress: (progress: { file: string; done: number; total: number }) => void;
  signal: AbortSignal;
}

export const HUB_URL = "https://huggingface.co";

/** A download fails when the hub sends nothing for this long. */
const SILENCE_MS = 60_000;

const Revision = v.looseObject({ sha: v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/)) });
const Tree = v.array(
  v.looseObject({
    type: v.string(),
    path: v.string(),
    size: v.optional(v.number(), 0),
    /** SHA-1 of the file as a git blob. */
    oid: v.string(),
    /** SHA-256, for large files only. */
    lfs: v.optional(v.nullable(v.looseObject({ oid: v.string() }))),
  }),
);
type RemoteFile = v.InferOutput<typeof Tree>[number];

/** Tells whether a text has the form `owner/name`. */
export function isHubId(text: string): boolean {
  return /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/.test(text);
}

/**
 * Downloads a model's files to `staging`, all from one revision, and checks each against the hash that the hub lists. Resolves to
 * the revision. Rejects with `io` when the hub cannot be reached, and with `not_found` or `model_invalid` when it has no suitable
 * model of that name.
 *
 * The program makes only two other kinds of connection: to a release that offers a model, and to a team's server for users who
 * joined it or name it.
 */
export async function downloadModel(repository: string, staging: string, hub: HubAccess): Promise<string> {
  const { sha } = await askHub(`/api/models/${repository}/revision/main`, Revision, repository, hub);
  const tree = await askHub(`/api/models/${repository}/tree/${sha}?recursive=true`, Tree, repository, hub);
  const files = chooseFiles(
    tree.filter(({ type }) => type === "file"),
    repository,
  );
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  for (const file of files) {
    const url = `${hub.endpoint}/${repository}/resolve/${sha}/${file.path}`;
    await downloadFile({ file, url, repository }, join(staging, file.path), hub, (bytes) => {
      done += bytes;
      hub.onProgress({ file: file.path, done, total });
    });
  }
  return sha;
}

async function askHub<S extends v.GenericSchema<unknown, unknown>>(
  path: string,
  schema: S,
  repository: string,
  hub: HubAccess,
): Promise<v.InferOutput<S>> {
  const quiet = silenceSignal(hub.signal);
  try {
    const response = await request(`${hub.endpoint}${path}`, repository, hub, quiet.signal);
    return v.parse(schema, await response.json());
  } catch (error) {
    if (error instanceof v.ValiError || error instanceof SyntaxError)
      throw unusableModel(repository, `${hub.endpoint} sent an unexpected answer`, error);
    throw unreachable(error, hub);
  } finally {
    quiet.stop();
  }
}

async function request(
  url: string,
  repository: string,
  hub: HubAccess,
  signal: AbortSignal,
): Promise<Response> {
  const response = await hub.fetch(url, { signal });
  if (response.ok) return response;
  await response.body?.cancel();
  if (response.status === 401 || response.status === 403 || response.status === 404)
    throw new MementorError("not_found", `${hub.endpoint} has no public model ${repository}`, {
      hint: "Check the name. If the model needs an account, download it yourself and import its directory.",
    });
  throw new MementorError("io", `${hub.endpoint} answered ${response.status} for ${url}`);
}

interface Download {
  file: RemoteFile;
  url: string;
  repository: string;
}

async function downloadFile(
  { file, url, repository }: Download,
  target: string,
  hub: HubAccess,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const quiet = silenceSignal(hub.signal);
  const hash = hashFor(file);
  let size = 0;
  ensurePrivateDir(dirname(target));
  const output = createWriteStream(target, { mode: 0o600, flags: "wx" });
  try {
    const { body } = await request(url, repository, hub, quiet.signal);
    for await (const part of body ?? []) {
      quiet.heard();
      size += part.byteLength;
      if (size > file.size) break;
      hash.update(part);
      if (!output.write(part)) await new Promise<void>((resume) => output.once("drain", resume));
      onBytes(part.byteLength);
    }
    output.end();
    await finished(output);
  } catch (error) {
    output.destroy();
    throw unreachable(error, hub);
  } finally {
    quiet.stop();
  }
  const expected = file.lfs?.oid ?? file.oid;
  if (size !== file.size || hash.digest("hex") !== expected)
    throw new MementorError("io", `the download of ${url} does not match the hash that the hub lists`, {
      hint: "Try again. If it fails again, do not use this model.",
    });
}

/** The hub identifies large files by SHA-256, and small files by their git blob hash. */
function hashFor({ lfs, size }: RemoteFile): Hash {
  return lfs ? createHash("sha256") : createHash("sha1").update(`blob ${size}\0`);
}

/** Returns a signal that aborts with `outer`, or when `heard` has not been called for too long. */
function silenceSignal(outer: AbortSignal): { signal: AbortSignal; heard(): void; stop(): void } {
  const silence = new AbortController();
  const start = () => setTimeout(() => silence.abort(new Error("it stopped responding")), SILENCE_MS).unref();
  let timer = start();
  return {
    signal: AbortSignal.any([outer, silence.signal]),
    heard() {
      clearTimeout(timer);
      timer = start();
    },
    stop: () => clearTimeout(timer),
  };
}

function unreachable(error: unknown, { endpoint, signal }: HubAccess): MementorError {
  if (error instanceof MementorError) return error;
  if (signal.aborted) return new MementorError("io", "the download was stopped", { cause: error });
  if (["ENOSPC", "EDQUOT", "EACCES", "EROFS"].includes(systemCode(error) ?? ""))
    return ioError(error, "store the model");
  const why = error instanceof Error ? error.message : String(error);
  return new MementorError("io", `cannot reach ${endpoint}: ${why}`, {
    cause: error,
    hint: 'Without a network, download the model elsewhere and run "mementor model use <directory>".',
  });
}

const SUMS = "SHA256SUMS";

/**
 * Downloads a file of a release to `directory` and checks it against the release's checksum. Returns its path. `endpoint` is the
 * address of the release. Rejects with `not_found` when the release lacks the file, and with `io`.
 */
export async function downloadOfRelease(
  file: string,
  directory: string,
  { endpoint, fetch, onProgress, signal }: HubAccess,
): Promise<string> {
  const get = async (name: string): Promise<Response> => {
    try {
      const response = await fetch(`${endpoint}/${name}`, { signal });
      if (response.ok) return response;
      await response.body?.cancel();
      throw new MementorError("not_found", `${endpoint} has no ${name} (${response.status})`);
    } catch (error) {
      if (error instanceof MementorError) throw error;
      throw new MementorError("io", `${endpoint} cannot be reached`, { cause: error });
    }
  };
  const sums = await (await get(SUMS)).text();
  const [expected] =
    sums
      .split("\n")
      .map((line) => line.split(/ [ *]/))
      .find(([, name]) => name === file) ?? [];
  if (expected === undefined) throw new MementorError("not_found", `${endpoint}/${SUMS} names no ${file}`);
  const response = await get(file);
  const total = Number(response.headers.get("content-length") ?? 0);
  const parts: Uint8Array[] = [];
  let done = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    done += part.byteLength;
    onProgress({ file, done, total });
  }
  const bytes = Buffer.concat(parts);
  if (new Bun.CryptoHasher("sha256").update(bytes).digest("hex") !== expected)
    throw new MementorError("io", `${endpoint}/${file} does not match its sum in ${SUMS}`, {
      hint: "Try again. If it fails again, do not use this file.",
    });
  const path = join(directory, file);
  writeFileSync(path, bytes, { mode: 0o600 });
  return path;
}
