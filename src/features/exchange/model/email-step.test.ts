import { expect, it } from "vitest";
import { type EmailContext, type EmailStep, emailStep } from "./email-step.ts";

const ann = "ann@mail.example";
const guest: Omit<EmailContext, "ckm"> = {
  accountEmail: null,
  isNotifiedByTelegram: false,
  rememberedEmail: null,
  formerEmail: null,
  referral: null,
  partnerCode: "p1",
};
const ask: EmailStep = { kind: "ask" };
const goWith = (userEmail: string | null): EmailStep => ({ kind: "go", userEmail });

it.each<[string, EmailContext, EmailStep]>([
  ["A asks", { ...guest, ckm: "A" }, ask],
  ["A asks whatever the referral", { ...guest, ckm: "A", referral: "p2" }, ask],
  ["A goes with what is remembered", { ...guest, ckm: "A", rememberedEmail: ann }, goWith(ann)],
  [
    "A goes with the account's",
    { ...guest, ckm: "A", accountEmail: ann, rememberedEmail: "old@x.example" },
    goWith(ann),
  ],
  ["B asks the partner's visitors", { ...guest, ckm: "B", referral: "p1" }, ask],
  ["B asks them also with a remembered one", { ...guest, ckm: "B", referral: "p1", rememberedEmail: ann }, ask],
  ["B leaves another referral alone", { ...guest, ckm: "B", referral: "p2" }, goWith(null)],
  ["B leaves a visit without one alone", { ...guest, ckm: "B" }, goWith(null)],
  ["B without a partner asks nobody", { ...guest, ckm: "B", partnerCode: null }, goWith(null)],
  ["B skips who is signed in", { ...guest, ckm: "B", referral: "p1", accountEmail: ann }, goWith(ann)],
  ["A asks nobody whom Telegram tells", { ...guest, ckm: "A", isNotifiedByTelegram: true }, goWith(null)],
  [
    "B asks nobody whom Telegram tells",
    { ...guest, ckm: "B", referral: "p1", isNotifiedByTelegram: true },
    goWith(null),
  ],
  ["D goes with that of the order before", { ...guest, ckm: "D", formerEmail: ann }, goWith(ann)],
  ["A asks nobody who gave one to the order before", { ...guest, ckm: "A", formerEmail: ann }, goWith(ann)],
  [
    "the account's goes before that of the order before",
    { ...guest, ckm: "A", accountEmail: ann, formerEmail: "old@x.example" },
    goWith(ann),
  ],
  ["D never asks", { ...guest, ckm: "D", referral: "p1" }, goWith(null)],
  ["D does not take a remembered one", { ...guest, ckm: "D", rememberedEmail: ann }, goWith(null)],
  ["D goes with the account's", { ...guest, ckm: "D", accountEmail: ann }, goWith(ann)],
])("%s", (_name, context, step) => expect(emailStep(context)).toEqual(step));
