import { randomBytes } from "node:crypto";
import { expect, type APIRequestContext, type Page } from "@playwright/test";
import { base58check } from "../../../server/chains/addresses/parser.ts";
import type { Api } from "../../support/http/api.ts";
import { newEmail, PASSWORD, register, signIn } from "./accounts.ts";
import type { Texts } from "./texts.ts";

/** The profile's page of withdrawals. */
export function withdrawalOf(page: Page, { earnings: t }: Texts) {
  const [beginning = ""] = t("withdraw.do", { sum: "#" }).split("#");
  return {
    address: page.locator("#withdraw-address"),
    amount: page.locator("#withdraw-amount"),
    submit: page.locator("form").getByRole("button", { name: new RegExp(`^${beginning.trim()}`) }),
    window: page.getByRole("dialog", { name: t("success.title"), exact: true }),
    done: page.getByRole("button", { name: t("success.done"), exact: true }),
    history: page.getByRole("region", { name: t("withdraw.history"), exact: true }),
  };
}

/** Where the same page sets the address of the payouts after each month. */
export function monthlyPayoutOf(page: Page, { earnings: t }: Texts) {
  const section = page.getByRole("region", { name: t("monthly.title"), exact: true });
  return {
    section,
    set: section.getByRole("button", { name: new RegExp(`^${t("monthly.set")}`) }),
    stop: section.getByRole("button", { name: t("monthly.stop"), exact: true }),
    address: page.locator("#monthly-address"),
    submit: page.getByRole("dialog").getByRole("button", { name: t("monthly.submit"), exact: true }),
  };
}

/** A new one each time: what all accounts withdraw to one address is judged together. */
export const randomTronAddress = (): string => base58check.encode(Uint8Array.of(0x41, ...randomBytes(20)));

/** Signs somebody new in in the page's browser, unless somebody is: with this many USDT in the wallet. */
export async function signInWith(page: Page, api: Api, amount: string): Promise<void> {
  if ((await page.context().cookies()).some(({ name }) => name === "access")) return;
  const email = newEmail();
  await register(page.request, email);
  await signIn(page, email);
  await credit(page, api, amount);
}

/** Puts so many USDT into the wallet of who is signed in. */
export async function credit(page: Page, api: Api, amount: string): Promise<void> {
  const { userId } = (await (await page.request.get("/api/v1/users/account-data")).json()) as { userId: number };
  await api.call("sandboxCredit", { body: { userId, amount } });
}

/** Makes an account that came by somebody's link. */
export async function registerBy(request: APIRequestContext, referrerAffiliateId: string): Promise<void> {
  const data = { email: newEmail(), password: PASSWORD, locale: "en", referrerAffiliateId };
  expect((await request.post("/api/v1/users/local/create", { data })).status()).toBe(201);
}

/** The subjects of what was mailed to an address, the newest first. */
export const mailsTo = async (request: APIRequestContext, email: string): Promise<string[]> => {
  const mails = (await (await request.get("/sandbox/mail")).json()) as { to: string; subject: string }[];
  return mails.filter(({ to }) => to === email).map(({ subject }) => subject);
};
