import { readJson, sessionStore } from "../../../shared/browser/storage.ts";

export const ATTEMPT_KEY = "exchange-attempt:v1";

/** Whether a reload or a lost answer cut a creation off. Apart from the attempt itself, whose schemas load only where it is read. */
export function isCutOff(): boolean {
  const kept = readJson(sessionStore, ATTEMPT_KEY);
  return typeof kept === "object" && kept !== null && "isLeft" in kept && kept.isLeft === false;
}
