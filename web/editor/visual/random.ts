/** A small generator for tests, so that a failure can be repeated by its seed. */
export function random(seed: number): () => number {
  let state = seed;
  return () => ((state = (state * 1664525 + 1013904223) >>> 0) / 2 ** 32);
}
