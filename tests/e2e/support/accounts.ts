import { randomBytes } from "node:crypto";
import { expect, type APIRequestContext, type Page } from "@playwright/test";
import type { Texts } from "./texts.ts";

export const PASSWORD = "kTw9-mZr4-qXp2";
export const newEmail = (): string => `e2e-${randomBytes(6).toString("hex")}@example.com`;

/** The dialogs' controls, by what a person reads. */
export function dialogOf(page: Page, { account }: Texts) {
  const field = (label: string) => page.getByRole("dialog").getByLabel(label, { exact: true });
  const button = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });
  return {
    titled: (title: string) => page.getByRole("dialog", { name: title, exact: true }),
    field,
    button,
    email: field(account("field.email")),
    password: field(account("field.password")),
  };
}

/** The row of this browser in the list of sessions. */
export const thisDevice = (page: Page, { account }: Texts) =>
  page.getByText(`${account("sessions.web")} · ${account("sessions.current")}`, { exact: true });

/** Makes an account without the browser. */
export const register = async (request: APIRequestContext, email: string): Promise<void> => {
  const data = { email, password: PASSWORD, locale: "en" };
  expect((await request.post("/api/v1/users/local/create", { data })).status()).toBe(201);
};

/** Signs the page's browser in, as a form elsewhere would. */
export const signIn = async (page: Page, email: string): Promise<void> => {
  const data = { email, password: PASSWORD };
  expect((await page.request.post("/api/v1/users/local/authenticate", { data })).status()).toBe(200);
};

/** The newest code that was mailed to an address; empty before it has come. */
export const mailedCode = async (request: APIRequestContext, email: string): Promise<string> => {
  const mails = (await (await request.get("/sandbox/mail")).json()) as unknown[];
  const text = mails
    .map((mail) => JSON.stringify(mail))
    .filter((mail) => mail.includes(email))
    .join("\n");
  return /\b[0-9A-HJKMNP-TV-Z]{4}-?[0-9A-HJKMNP-TV-Z]{4}\b/.exec(text)?.[0] ?? "";
};
