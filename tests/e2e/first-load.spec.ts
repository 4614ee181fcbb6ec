import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expectReadable } from "../a11y/accessible.ts";
import { untilHydrated } from "../../scripts/bench/web/hydrated.ts";
import { ANN, Client, initDataOf, launchHash } from "./support/telegram-client.ts";
import { calculatorOf } from "./support/screens.ts";
import { expect, pathIn, test } from "./support/test.ts";
import type { Locale } from "./support/texts.ts";

const PAIR = "/exchange-eth-usdt-erc20?amount=0.5";

type Notice = { readonly title: string; readonly text: string; readonly reload: string };
const noticeIn = (lang: Locale) =>
  JSON.parse(readFileSync(new URL(`../../locales/${lang}/start.json`, import.meta.url), "utf8")) as Notice;

/** The notice above the page, in its language and once; its button. */
async function expectNotice(page: Page, lang: Locale) {
  const { title, text, reload } = noticeIn(lang);
  const notice = page.getByRole("alert").filter({ hasText: title });
  await expect(notice).toHaveCount(1);
  await expect(notice).toContainText(text);
  await expect(notice).toBeInViewport({ ratio: 1 });
  return notice.getByRole("button", { name: reload });
}

for (const [what, files, lang, tag] of [
  ["the app's entry", "**/assets/index-*.js", "en", "@phone"],
  ["what the entry imports", "**/assets/vendor-*.js", "ru", "@desktop"],
  ["the page's own code", "**/assets/exchange-*.js", "ru", "@phone"],
] as const)
  test.describe(`without ${what}`, { tag }, () => {
    test.use({ lang });

    test(`a first load shows an error, keeps the page readable, and a reload brings it`, async ({
      page,
      texts,
      problems,
    }) => {
      problems.expect({ url: /\/assets\//, as: "failed" });
      problems.expectSaid(/the (?:app can't be loaded|page can't be started)/);
      await page.route(files, (route) => route.abort("connectionrefused"));
      await page.goto(pathIn(lang, PAIR));

      const reload = await expectNotice(page, lang);
      await expect(calculatorOf(page, texts).send).toHaveValue("0.5");
      await expect(calculatorOf(page, texts).getAbout).toBeVisible();
      await expectReadable(page);

      await page.unroute(files);
      await reload.click();
      await untilHydrated(page);
      await expect(page.getByText(noticeIn(lang).title)).toBeHidden();
    });
  });

for (const [what, files] of [
  ["its texts", "**/assets/messages/**"],
  ["its script", "**/assets/index-*.js"],
] as const)
  test.describe(`the shell without ${what}`, () => {
    test.use({ lang: "ru" });

    test("shows an error in the language of its address", { tag: "@phone" }, async ({ page, lang, problems }) => {
      problems.expect({ url: /\/assets\//, as: "failed" });
      problems.expectSaid(/the page can't be started|Failed to load messages for locale/);
      // As the worker answers without a network.
      const path = pathIn(lang, "/orders");
      const shell = await (await page.request.get("/shell.html")).text();
      await page.route(`**${path}`, (route) => route.fulfill({ contentType: "text/html", body: shell }));
      await page.route(files, (route) => route.abort("connectionrefused"));
      await page.goto(path);

      const reload = await expectNotice(page, lang);
      await page.unroute(files);
      await reload.click();
      await untilHydrated(page);
      await expect(page.getByText(noticeIn(lang).title)).toBeHidden();
    });
  });

test(
  "a mini-app whose Telegram part doesn't load shows an error",
  { tag: "@phone" },
  async ({ page, lang, problems }) => {
    problems.expect({ url: /\/assets\//, as: "failed" });
    problems.expectSaid(/the page can't be started/);
    await page.route("**/assets/launch-telegram-*.js", (route) => route.abort("connectionrefused"));
    const client = await Client.around(page);
    await page.goto(pathIn(lang, PAIR) + launchHash(initDataOf(ANN)));

    await expectNotice(page, lang);
    expect(client.of("web_app_ready")).toEqual([]);
  },
);

test("a page that loads has no such notice", { tag: "@phone" }, async ({ page, lang, open }) => {
  await open(PAIR);
  await expect(page.getByText(noticeIn(lang).title)).toHaveCount(0);
});
