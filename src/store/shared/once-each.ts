/** The same words are looked for in chunks and in turns: how common they are is counted once. */
export function onceEach<Key extends object, Result>(work: (key: Key) => Result): (key: Key) => Result {
  const done = new WeakMap<Key, Result>();
  return (key) => {
    const known = done.get(key);
    if (known !== undefined) return known;
    const result = work(key);
    done.set(key, result);
    return result;
  };
}
