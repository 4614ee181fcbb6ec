import type { Page } from "@playwright/test";
import { expectAccessible } from "../a11y/accessible.ts";
import { expectNoNetwork } from "./support/offline.ts";
import { ANN, Client, initDataOf, launchHash } from "./support/telegram-client.ts";
import { expect, pathIn, test } from "./support/test.ts";

const CONTACT = "**/api/v1/inquiries/contact";
const TEXT = "My deposit has its confirmations. When is the payout?";

const fileError = (page: Page, text: string) => page.locator("#authority-file-error", { hasText: text });

test(
  "the answers are searched, and a question is mailed with its order and language",
  { tag: "@desktop" },
  async ({ page, open, texts: { info }, api }) => {
    await open("/support");
    const search = page.getByRole("searchbox", { name: info("support.search") });
    await search.fill("memo forgot");
    await expect(page.locator(".w-question-list details")).toHaveCount(1);
    await page.locator(".w-question-list summary").click();
    await expect(page.locator(".w-question-list details[open] a").first()).toBeVisible();
    await search.fill("qqqq");
    await expect(page.getByText(info("support.nothing"))).toBeVisible();
    await search.fill("");

    await page.getByRole("button", { name: info("form.send") }).click();
    await expect(page.getByText(info("form.wrong.email"))).toBeVisible();
    await expect(page.locator("#contact-email")).toBeFocused();
    await page.locator("#contact-email").fill("ann@mail.example");
    await page.locator("#contact-reference").fill("7kq4 m2xd");
    await page.locator("#contact-message").fill(TEXT);
    await page.getByRole("button", { name: info("form.send") }).click();
    const sent = page.getByRole("status").filter({ hasText: info("form.sentText", { email: "ann@mail.example" }) });
    await expect(sent).toBeVisible();
    await expectAccessible(page);
    const mail = (await api.call("sandboxMail", {})).find(({ subject }) => subject.includes("7KQ4-M2XD"));
    expect(mail?.text).toContain(TEXT);
    expect(mail?.text).toContain("English");
  },
);

test(
  "a question that can't be mailed shows an error, keeps its text, and can be sent again",
  { tag: "@phone" },
  async ({ page, context, open, texts: { info }, problems }) => {
    await open("/support");
    await page.locator("#contact-email").fill("ann@mail.example");
    await page.locator("#contact-message").fill(TEXT);
    const send = page.getByRole("button", { name: info("form.send") });
    const failures = [
      { status: 503, data: { delivery: "failed" }, code: "ERR_SERVICE_UNAVAILABLE", as: "notMailed" },
      { status: 503, data: { delivery: "unknown" }, code: "ERR_SERVICE_UNAVAILABLE", as: "unknown" },
      { status: 429, data: {}, code: "ERR_BAD_REQUEST", as: "tooMany" },
    ] as const;
    for (const { status, data, code, as } of failures) {
      problems.expect({ url: "/api/v1/inquiries/contact", as: status });
      const json = { status: code, message: "no", data, traceId: "0".repeat(32) };
      await page.route(CONTACT, (route) => route.fulfill({ status, json }));
      await send.click();
      await expect(page.getByRole("alert")).toContainText(info(`form.failed.${as}`));
      await expect(page.locator("#contact-message")).toHaveValue(TEXT);
      await page.unroute(CONTACT);
    }
    // Whatever the page asks for by itself meanwhile.
    expectNoNetwork(problems);
    await context.setOffline(true);
    // The calculator's button waits in the same words.
    const form = page.locator("form", { has: page.locator("#contact-message") });
    await expect(form.getByRole("button", { name: info("form.offline") })).toBeDisabled();
    await context.setOffline(false);
    await send.click();
    await expect(page.getByText(info("form.sentText", { email: "ann@mail.example" }))).toBeVisible();
  },
);

test(
  "an authority's hostile file is refused at its field, and a signed PDF is mailed",
  { tag: "@desktop" },
  async ({ page, open, texts: { info }, problems }) => {
    problems.expect({ url: "/api/v1/inquiries/authority", as: 400 });
    await open("/for-competent-authorities");
    for (const [id, text] of Object.entries({
      authority: "Police of Oslo",
      officer: "A. Lund",
      email: "lund@police.example",
      message: TEXT,
    }))
      await page.locator(`#authority-${id}`).fill(text);
    const send = page.getByRole("button", { name: info("form.sendRequest") });
    const choose = (name: string, text: string) =>
      page.locator("#authority-file").setInputFiles({ name, mimeType: "application/pdf", buffer: Buffer.from(text) });
    await send.click();
    await expect(fileError(page, info("form.fileProblem.missing"))).toBeVisible();
    await expect(page.locator("#authority-file")).toBeFocused();
    await choose("request.pdf", "<!doctype html><script>alert(1)</script>");
    await send.click();
    await expect(fileError(page, info("form.fileProblem.format"))).toBeVisible();
    await choose("request.pdf", "%PDF-1.7\n<< /S /JavaScript >>\n%%EOF");
    await send.click();
    await expect(fileError(page, info("form.fileProblem.active"))).toBeVisible();
    await choose("request.pdf", "%PDF-1.7\n<< /Type /Catalog >>\n%%EOF");
    await send.click();
    await expect(page.getByText(info("form.sentText", { email: "lund@police.example" }))).toBeVisible();
  },
);

test("a deeplink opens each page of the site inside Telegram", { tag: "@phone" }, async ({ page, lang, problems }) => {
  problems.expect({ url: "/api/v1/users/telegram/authenticate", as: 404 });
  await Client.around(page);
  const pages = {
    how: "/how-it-works",
    aff: "/affiliate",
    cashback: "/cashback",
    wallet: "/wallet",
    law: "/for-competent-authorities",
    api: "/swap-api",
    widget: "/widget",
    price: "/price",
    price___eth: "/price/eth",
    blog: "/blog",
    docs: "/docs",
    docs___fees: "/docs/fees",
  };
  for (const [parameter, path] of Object.entries(pages)) {
    await page.goto(pathIn(lang, `/?tgWebAppStartParam=${parameter}${launchHash(initDataOf(ANN))}`));
    await expect(page).toHaveURL((url) => url.pathname === pathIn(lang, path) && url.hash.includes("tgWebAppData"));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
});
