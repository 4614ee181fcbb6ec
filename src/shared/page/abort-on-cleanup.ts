/**
 * Runs an effect's work with a signal and returns the effect's cleanup, which aborts it: what a component has awaited must not set its
 * state once it is gone or its dependencies have changed.
 */
export function abortOnCleanup(work: (signal: AbortSignal) => unknown): () => void {
  const abort = new AbortController();
  void work(abort.signal);
  return () => abort.abort();
}
