/** Returns the uuid of an entry in the form that is the same for all its spellings. */
export function entryKey(uuid: string): string {
  return /^-*(?:[0-9a-f]{2}-*)+$/i.test(uuid) ? uuid.replaceAll("-", "").toLowerCase() : uuid;
}

/** Returns the uuid of a key as it is commonly written; a key that is no uuid as it is. */
export function uuidOfKey(key: string): string {
  return key.replace(
    /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/,
    "$1-$2-$3-$4-$5",
  );
}
