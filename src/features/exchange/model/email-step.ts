import type { PairData } from "#contract/rate.ts";

export type EmailContext = {
  /** The pair's email-confirmation mode (spec §3). */
  ckm: PairData["ckm"];
  /** The email of who is signed in; null for a guest. */
  accountEmail: string | null;
  /** Telegram tells who is signed in there how the order goes. */
  isNotifiedByTelegram: boolean;
  /** The email that was confirmed and remembered on this device; null without one. */
  rememberedEmail: string | null;
  /** The email of the order that is created again; null elsewhere. */
  formerEmail: string | null;
  /** The visit's referral, and the partner's whose visitors are asked in mode B. */
  referral: string | null;
  partnerCode: string | null;
};

/** What comes between the press and the order: the prompt for an email, or nothing. */
export type EmailStep = { kind: "ask" } | { kind: "go"; userEmail: string | null };

const go = (userEmail: string | null): EmailStep => ({ kind: "go", userEmail });

/** Whether a guest is asked for an email before the order, and which one an unasked order carries (spec §4, exchange flow). */
export function emailStep({
  ckm,
  accountEmail,
  isNotifiedByTelegram,
  rememberedEmail,
  formerEmail,
  referral,
  partnerCode,
}: EmailContext): EmailStep {
  if (accountEmail !== null) return go(accountEmail);
  if (formerEmail !== null) return go(formerEmail);
  if (isNotifiedByTelegram) return go(null);
  switch (ckm) {
    case "A":
      return rememberedEmail === null ? { kind: "ask" } : go(rememberedEmail);
    case "B":
      return partnerCode !== null && referral === partnerCode ? { kind: "ask" } : go(null);
    case "D":
      return go(null);
  }
}
