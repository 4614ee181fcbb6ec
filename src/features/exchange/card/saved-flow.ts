import * as z from "zod/mini";
import { readJson, sessionStore } from "../../../shared/browser/storage.ts";
import { type CardFlow, isVerification, VERIFICATION_STEPS } from "../model/card-flow.ts";

const KEY = "card-flow:v1";

const savedSchema = z.object({
  /** The form that it was begun with, as a path. */
  form: z.string(),
  flow: z.union([
    z.object({ step: z.enum(VERIFICATION_STEPS), polls: z.int().check(z.minimum(0)), isUnderReview: z.boolean() }),
    z.object({ step: z.literal("creating"), isVerified: z.boolean() }),
  ]),
});

/** Keeps what a reload goes on with, for as long as the tab lives; nothing of the provider's tokens is in it. */
export function saveFlow(form: string, flow: CardFlow): void {
  if (isVerification(flow) || flow.step === "creating") sessionStore.set(KEY, JSON.stringify({ form, flow }));
  else sessionStore.remove(KEY);
}

/** The flow that this form was left with; null for every other one. */
export function savedFlow(form: string): CardFlow | null {
  const saved = readJson(sessionStore, KEY, savedSchema);
  return saved?.form === form ? saved.flow : null;
}
