import type { Store } from "./storage.ts";

/** 128 random bits; not randomUUID, which is missing where the page is not served over HTTPS. */
export const randomHex = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The random id that a store has under this key; made where there is none. */
export function savedRandomHex(store: Store, key: string): string {
  const saved = store.get(key);
  if (saved !== null && /^[0-9a-f]{32}$/.test(saved)) return saved;
  const made = randomHex();
  store.set(key, made);
  return made;
}
