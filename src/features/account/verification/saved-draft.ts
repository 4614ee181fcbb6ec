import { del, get, set } from "idb-keyval";
import { type Draft, emptyDraft } from "./model/draft.ts";
import { VERIFICATION_DRAFT_KEY } from "../../../shared/browser/verification-draft.ts";

/** Documents don't stay on a device for longer. */
const MAX_AGE_MS = 24 * 3_600_000;

type SavedDraft = { readonly userId: number; readonly savedAt: number; readonly draft: Draft };

/** What this person had typed here before a reload; an older draft and somebody else's are deleted. */
export async function readDraft(userId: number, now: number): Promise<Draft | null> {
  try {
    const saved = await get<SavedDraft>(VERIFICATION_DRAFT_KEY);
    if (saved === undefined) return null;
    if (isOwn(saved, userId, now)) return { ...emptyDraft(), ...saved.draft };
    await del(VERIFICATION_DRAFT_KEY);
  } catch (error) {
    console.debug("the draft of the form can't be read", error);
  }
  return null;
}

const isOwn = ({ userId: owner, savedAt, draft }: SavedDraft, userId: number, now: number): boolean =>
  owner === userId && now - savedAt < MAX_AGE_MS && typeof draft === "object";

/** One draft for the device; where storage is denied, it lives as long as the page. */
export async function saveDraft(userId: number, draft: Draft, now: number): Promise<void> {
  try {
    await set(VERIFICATION_DRAFT_KEY, { userId, savedAt: now, draft } satisfies SavedDraft);
  } catch (error) {
    console.debug("the draft of the form can't be saved", error);
  }
}
