/** A file of an archive. */
export interface ArchivedFile {
  /** Relative, separated by `/`; at most 100 bytes. */
  path: string;
  bytes: Uint8Array;
  isExecutable: boolean;
}

/** Makes a file that is not a program. */
export function document(path: string, content: string | Uint8Array): ArchivedFile {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { path, bytes, isExecutable: false };
}

/** Makes a program. */
export function program(path: string, bytes: Uint8Array): ArchivedFile {
  return { path, bytes, isExecutable: true };
}
