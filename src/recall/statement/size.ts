const FULL = /[\u1100-\u11ff\u3041-\u30ff\u3131-\u318e\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff]/g;

/** Returns how much a sentence says, in characters of English: a letter of Han, Kana or Hangul says as much as two. */
export function sizeOf(text: string): number {
  return text.length + (text.match(FULL)?.length ?? 0);
}
