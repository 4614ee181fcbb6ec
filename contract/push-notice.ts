import * as z from "zod/mini";

/** What a notice carries to a device, encrypted for it alone: words and the order's reference, which opens nothing (contract §3). */
export const pushNoticeSchema = z.object({
  title: z.string(),
  body: z.string(),
  /** The language of its words. */
  lang: z.string(),
  /** A second copy, and what is said later of the same order, takes the place of the first. */
  tag: z.string(),
  reference: z.string(),
});
export type PushNotice = z.infer<typeof pushNoticeSchema>;
