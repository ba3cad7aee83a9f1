/** Returns the uuid of an entry in the form that is the same for all its spellings. */
export function entryKey(uuid: string): string {
  return /^-*(?:[0-9a-f]{2}-*)+$/i.test(uuid) ? uuid.replaceAll("-", "").toLowerCase() : uuid;
}
