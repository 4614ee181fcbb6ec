import { del, get, set } from "idb-keyval";
import * as z from "zod/mini";
import { type Draft, draftSchema, resumeDraft } from "../model/draft.ts";
import { VERIFICATION_DRAFT_KEY } from "../../../shared/browser/verification-draft.ts";

/** Documents don't stay on a device for longer. */
const MAX_AGE_MS = 24 * 3_600_000;

const savedDraftSchema = z.object({ userId: z.int(), savedAt: z.number(), draft: draftSchema });
type SavedDraft = z.infer<typeof savedDraftSchema>;

/** What this person had typed here before a reload; an older draft, somebody else's and one that another build wrote otherwise are deleted. */
export async function readDraft(userId: number, now: number): Promise<Draft | null> {
  try {
    const saved = await get<unknown>(VERIFICATION_DRAFT_KEY);
    if (saved === undefined) return null;
    const read = savedDraftSchema.safeParse(saved);
    if (read.success && isOwn(read.data, userId, now))
      return resumeDraft(read.data.draft, new Date(now).toISOString().slice(0, 10));
    await del(VERIFICATION_DRAFT_KEY);
  } catch (error) {
    console.debug("the draft of the form can't be read", error);
  }
  return null;
}

const isOwn = ({ userId: owner, savedAt }: SavedDraft, userId: number, now: number): boolean =>
  owner === userId && now - savedAt < MAX_AGE_MS;

/** One draft for the device; where storage is denied, it lives as long as the page. */
export async function saveDraft(userId: number, draft: Draft, now: number): Promise<void> {
  try {
    await set(VERIFICATION_DRAFT_KEY, { userId, savedAt: now, draft } satisfies SavedDraft);
  } catch (error) {
    console.debug("the draft of the form can't be saved", error);
  }
}
