import { readJson, sessionStore } from "../../../shared/browser/storage.ts";

export const ATTEMPT_KEY = "exchange-attempt:v1";

/** Parsed by hand: attempt.ts, whose schemas are large, loads only where an attempt is read. */
const interruptedSchema = {
  safeParse: (saved: unknown) => ({
    data: typeof saved === "object" && saved !== null && "isLeft" in saved && saved.isLeft === false,
  }),
};

/** Whether a reload or a lost answer interrupted a creation. */
export const isCreationInterrupted = (): boolean => readJson(sessionStore, ATTEMPT_KEY, interruptedSchema) ?? false;
