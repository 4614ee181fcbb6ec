import { randomHex } from "./random-hex.ts";
import { localStore } from "./storage.ts";

const KEY = "wherry-browser";

/** What calls name this browser by (spec §3): random and kept here, made of nothing that the browser tells about its owner. */
export function browserFingerprint(): string {
  const kept = localStore.get(KEY);
  if (kept !== null && /^[0-9a-f]{32}$/.test(kept)) return kept;
  const made = randomHex();
  localStore.set(KEY, made);
  return made;
}
