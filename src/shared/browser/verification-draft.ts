import { del } from "idb-keyval";

export const VERIFICATION_DRAFT_KEY = "wherry-verification";

/** Deletes the form and the photos of a check that was begun on this device. */
export async function forgetVerificationDraft(): Promise<void> {
  try {
    await del(VERIFICATION_DRAFT_KEY);
  } catch (error) {
    console.debug("the draft of the form can't be deleted", error);
  }
}
