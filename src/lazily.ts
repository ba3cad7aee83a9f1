/**
 * Returns a function that makes a value at its first call, and returns the same value from then on. For values that never
 * change and take long to make.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
