import { readJson, sessionStore } from "../../../shared/browser/storage.ts";

export const ATTEMPT_KEY = "exchange-attempt:v1";

/** Whether a reload or a lost answer interrupted a creation. Apart from attempt.ts, whose schemas load only where it is read. */
export function isCreationInterrupted(): boolean {
  const saved = readJson(sessionStore, ATTEMPT_KEY);
  return typeof saved === "object" && saved !== null && "isLeft" in saved && saved.isLeft === false;
}
