import { randomHex } from "./random-hex.ts";
import { localStore } from "./storage.ts";

const KEY = "wherry-browser";

/** What calls name this browser by (spec §3): random and saved here, made of nothing that the browser tells about its owner. */
export function browserFingerprint(): string {
  const saved = localStore.get(KEY);
  if (saved !== null && /^[0-9a-f]{32}$/.test(saved)) return saved;
  const made = randomHex();
  localStore.set(KEY, made);
  return made;
}
