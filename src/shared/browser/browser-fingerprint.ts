import { savedRandomHex } from "./random-hex.ts";
import { localStore } from "./storage.ts";

/** What calls name this browser by (spec §3): random and saved here, made of nothing that the browser tells about its owner. */
export const browserFingerprint = (): string => savedRandomHex(localStore, "wherry-browser");
