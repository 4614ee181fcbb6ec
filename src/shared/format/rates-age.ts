import { useSyncExternalStore } from "react";

let ratesAt: string | null = null;
const listeners = new Set<() => void>();

/** Told by the client and the socket with each rate: what a page without a network says its rates are from. */
export function noteRate(updatedAt: string): void {
  if (ratesAt !== null && updatedAt <= ratesAt) return;
  ratesAt = updatedAt;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** When the newest rate that this page has seen was made, ISO-8601; null before the first one. */
export const useRatesAt = (): string | null =>
  useSyncExternalStore(
    subscribe,
    () => ratesAt,
    () => null,
  );
